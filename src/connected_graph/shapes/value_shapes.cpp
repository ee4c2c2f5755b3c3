#include "connected_graph/shapes/value_shapes.h"

namespace model_validator {

void ValueShapes::note(ValueId value, std::shared_ptr<const shapes::Shape> shape) {
  if (of_values_.size() <= value) of_values_.resize(value + 1);
  of_values_[value] = std::move(shape);
}

std::shared_ptr<const shapes::Shape> ValueShapes::of(ValueId value) const {
  return value < of_values_.size() ? of_values_[value] : nullptr;
}

std::vector<std::vector<std::shared_ptr<const shapes::Shape>>>
ValueShapes::by_op(const GraphAssembler& assembler, const ConnectedGraph& graph) const {
  std::vector<std::vector<std::shared_ptr<const shapes::Shape>>> of_ops(graph.op_count());
  for (OpId id = 0; id < graph.op_count(); ++id) of_ops[id].resize(graph.op(id).outputs.size());
  for (ValueId value = 0; value < of_values_.size(); ++value) {
    const auto& producer = assembler.producer_of(value);
    if (producer.op != none && producer.output < of_ops[producer.op].size())
      of_ops[producer.op][producer.output] = of_values_[value];
  }
  return of_ops;
}

} // namespace model_validator
