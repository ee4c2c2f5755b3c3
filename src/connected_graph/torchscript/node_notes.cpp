#include "connected_graph/torchscript/node_notes.h"

namespace model_validator::torchscript {
namespace {

constexpr std::size_t max_place_depth = 64;

void place_outputs(const Abstract& value, std::size_t number, const ValuePath& path,
                   NodeRecord& record) {
  if (!value || path.size() > max_place_depth) return;
  for (const Source& source : value->sources)
    if (source.op == record.op)
      record.outputs.push_back({number, path, source.output, value->list_of == record.op});
  if (!value->items()) return;
  for (std::size_t i = 0; i < value->items()->values.size(); ++i) {
    ValuePath inner = path;
    inner.emplace_back(value->items()->exact ? i : every);
    place_outputs(value->items()->values[i], number, inner, record);
  }
}

} // namespace

NodeMap::Context NodeNotes::enter(const Node& call, const void* object) const {
  return map_ ? map_->enter(context_.scope.call->context, call, object) : NodeMap::root;
}

void NodeNotes::add(const Node& node, NodeRecord record, const Inputs& outputs) {
  if (!map_) return;
  for (std::size_t i = 0; i < outputs.size(); ++i) place_outputs(outputs[i], i, {}, record);
  map_->add(context_.scope.call->context, node, std::move(record));
}

void NodeNotes::add(const Node& node, NodeRecord record, const Environment& environment) {
  if (!map_) return;
  Inputs outputs;
  for (const Value* output : node.outputs()) outputs.push_back(environment.at(output));
  add(node, std::move(record), outputs);
}

void NodeNotes::add_body(const Node& node) {
  if (map_)
    map_->add(context_.scope.call->context, node,
              {context_.graph.op_count(), context_.scope.collecting->size() - 1, {}, {}, {}});
}

void NodeNotes::add_root_leaf(NodeRecord record, const Abstract& returned) {
  if (!map_) return;
  place_outputs(returned, 0, {}, record);
  map_->root_leaf = std::move(record);
}

void NodeNotes::add_model_input(std::size_t argument, OpId op, const Abstract& value) {
  if (!map_) return;
  NodeRecord record;
  record.op = op;
  place_outputs(value, argument, {}, record);
  map_->model_inputs.push_back(std::move(record));
}

void NodeNotes::add_model_output(OpId op, const Place& place) {
  if (map_) map_->model_outputs.emplace_back(op, place);
}

void NodeNotes::add_written_view(OpId op) {
  if (map_) map_->note_written_view(op);
}

} // namespace model_validator::torchscript
