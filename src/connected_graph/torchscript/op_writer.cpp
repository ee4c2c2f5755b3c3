#include "connected_graph/torchscript/op_writer.h"

#include "connected_graph/op_type.h"
#include "connected_graph/torchscript/code/items.h"
#include "connected_graph/torchscript/ir/operator_effects.h"

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

std::string OpWriter::unique_name(const std::string& type) {
  const std::string start(start_of_name(type));
  std::string name;
  do name = start + "_" + std::to_string(name_counters_[start]++);
  while (!taken_names_.insert(name).second);
  return name;
}

std::string OpWriter::claim_name(const std::string& name) {
  return taken_names_.insert(name).second ? name : unique_name(name);
}

Gathered OpWriter::gather(const Inputs& inputs, Gather what) const {
  Gathered data;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<Operand> operands = operands_of(inputs[i]);
    const auto paths = notes_.wanted() ? paths_of_operands(inputs[i]) : std::vector<ValuePath>();
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (what == Gather::only_products && !operands[k].source) continue;
      if (notes_.wanted()) data.places.push_back({i, paths[k], data.operands.size(), false});
      data.operands.push_back(operands[k]);
    }
  }
  return data;
}

OpId OpWriter::emit(Op op, const std::vector<Operand>& operands) {
  op.region = scope_.region;
  const bool leaf = op.kind == OpKind::module;
  if (op.parent == none && !leaf) op.parent = scope_.call ? scope_.call->self : 0;
  for (std::size_t i = 0; i < operands.size() && !leaf; ++i)
    if (operands[i].parameter) {
      op.parameters.push_back(*operands[i].parameter);
      op.parameter_inputs.push_back(i);
    }
  const OpId id = graph_.add_op(std::move(op));
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].source) continue;
    const auto& [from, output] = *operands[i].source;
    const Op& producer = graph_.op(from);
    const std::string name =
        output == 0 ? producer.name : producer.name + ":" + std::to_string(output);
    const TensorType type =
        output < producer.outputs.size() ? producer.outputs[output] : TensorType{};
    graph_.add_product(from, id, {name, output, i, type});
  }
  return id;
}

void OpWriter::redirect(const Abstract& value, OpId op) {
  Abstract target = value;
  for (int links = 0; target && links < 64; ++links, target = target->base) {
    target->sources = {{op, 0}};
    target->parameters.clear();
    if (links > 0) notes_.add_written_view(op);
  }
}

void OpWriter::redirect_in_place(const Node& node, const Inputs& inputs, OpId op) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (writes(node, i)) {
      invalidate_aliases(inputs[i]);
      if (inputs[i]->items())
        forget(*inputs[i]->items());
      else
        redirect(inputs[i], op);
    }
}

void OpWriter::note_written(const Node& node, const Inputs& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (writes(node, i)) written_.insert(inputs[i].get());
}

void OpWriter::redirect_written(const Inputs& inputs, OpId op) {
  for (const Abstract& input : inputs)
    if (written_.contains(input.get()) && !input->items()) redirect(input, op);
}

} // namespace model_validator::torchscript
