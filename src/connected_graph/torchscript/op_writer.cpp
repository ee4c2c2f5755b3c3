#include "connected_graph/torchscript/op_writer.h"

#include "connected_graph/op_type.h"
#include "connected_graph/torchscript/code/items.h"
#include "connected_graph/torchscript/ir/operator_effects.h"

namespace model_validator::torchscript {

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
