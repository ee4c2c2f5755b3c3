// What the walk remembers of its way, so that a run of the same code finds the ops again.
#include "connected_graph/torchscript/walk.h"

namespace model_validator::torchscript {
namespace {

constexpr std::size_t deepest_place = 64;

void place_outputs(const Abstract& value, std::size_t number, const ValuePath& path,
                   NodeRecord& record) {
  if (!value || path.size() > deepest_place) return;
  for (const Source& source : value->sources)
    if (source.op == record.op)
      record.outputs.push_back({number, path, source.output, value->list_of == record.op});
  if (!value->items) return;
  for (std::size_t i = 0; i < value->items->values.size(); ++i) {
    ValuePath inner = path;
    inner.emplace_back(value->items->exact ? i : every);
    place_outputs(value->items->values[i], number, inner, record);
  }
}

} // namespace

NodeMap::Context Walk::context_of(const torch::jit::Node& call, const void* object) {
  return map_ ? map_->enter(call_->context, call, object) : NodeMap::root;
}

void Walk::note(const torch::jit::Node& node, NodeRecord record, const Inputs& outputs) {
  if (!map_) return;
  for (std::size_t i = 0; i < outputs.size(); ++i) place_outputs(outputs[i], i, {}, record);
  map_->add(call_->context, node, std::move(record));
}

void Walk::note(const torch::jit::Node& node, NodeRecord record, const Environment& environment) {
  if (!map_) return;
  Inputs outputs;
  for (const torch::jit::Value* output : node.outputs()) outputs.push_back(environment.at(output));
  note(node, std::move(record), outputs);
}

/// A node inside a leaf: the op that stands for the leaf is the next that is entered.
void Walk::note_body(const torch::jit::Node& node) {
  if (map_)
    map_->add(call_->context, node, {graph_.op_count(), collecting_->size() - 1, {}, {}, {}});
}

void Walk::note_root_leaf(NodeRecord record, const Abstract& returned) {
  if (!map_) return;
  place_outputs(returned, 0, {}, record);
  map_->root_leaf = std::move(record);
}

/// In a loop the walk sees one iteration of many: a list may be another in the next.
void Walk::note_known(const torch::jit::Value& value, const Abstract& is) {
  if (!map_ || open_loops_ > 0 || !is) return;
  if (is->known && !is->known->isTensor())
    map_->note_known(call_->context, value, *is->known);
  else if (is->object)
    map_->note_known(call_->context, value, is->object);
}

void Walk::note_known(const torch::jit::Node& node, const Environment& environment) {
  if (!map_ || node.kind() == c10::prim::Constant) return;
  for (const torch::jit::Value* output : node.outputs())
    if (const auto found = environment.find(output); found != environment.end())
      note_known(*output, found->second);
}

void Walk::note_model_input(std::size_t argument, OpId op, const Abstract& value) {
  if (!map_) return;
  NodeRecord record;
  record.op = op;
  place_outputs(value, argument, {}, record);
  map_->model_inputs.push_back(std::move(record));
}

} // namespace model_validator::torchscript
