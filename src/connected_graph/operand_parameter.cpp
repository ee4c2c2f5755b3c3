#include "connected_graph/operand_parameter.h"

#include <algorithm>
#include <set>

namespace model_validator {

OpId op_at_operand(const ConnectedGraph& graph, OpId id, std::size_t operand) {
  for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph.graph())))
    if (graph.graph()[edge].input == operand) return boost::source(edge, graph.graph());
  return none;
}

std::vector<OpId> operand_ops(const ConnectedGraph& graph, OpId id) {
  std::vector<OpId> ops;
  for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph.graph())))
    ops.push_back(boost::source(edge, graph.graph()));
  return ops;
}

std::vector<std::size_t> operands_of_parameters(const ConnectedGraph& graph, OpId id) {
  const Op& op = graph.op(id);
  std::vector<std::size_t> operands = op.parameter_inputs;
  if (!operands.empty()) {
    operands.resize(op.parameters.size(), none);
    return operands;
  }
  std::set<std::size_t> fed;
  for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph.graph())))
    fed.insert(graph.graph()[edge].input);
  std::size_t at = 0;
  for (std::size_t i = 0; i < op.parameters.size(); ++i) {
    while (fed.contains(at)) ++at;
    operands.push_back(at++);
  }
  return operands;
}

std::optional<ParameterId> parameter_at_operand(const ConnectedGraph& graph, OpId id,
                                                std::size_t operand) {
  const std::vector<std::size_t> operands = operands_of_parameters(graph, id);
  const auto found = std::ranges::find(operands, operand);
  if (found == operands.end()) return std::nullopt;
  return graph.op(id).parameters[static_cast<std::size_t>(found - operands.begin())];
}

} // namespace model_validator
