#include "connected_graph/operand_parameter.h"

#include <set>

namespace model_validator {

std::optional<ParameterId> parameter_at_operand(const ConnectedGraph& graph, OpId id,
                                                std::size_t operand) {
  const Op& op = graph.op(id);
  for (std::size_t i = 0; i < op.parameter_inputs.size() && i < op.parameters.size(); ++i)
    if (op.parameter_inputs[i] == operand) return op.parameters[i];
  if (!op.parameter_inputs.empty()) return std::nullopt;
  std::set<std::size_t> fed;
  const auto [begin, end] = boost::in_edges(id, graph.graph());
  for (auto edge = begin; edge != end; ++edge) fed.insert(graph.graph()[*edge].input);
  std::size_t at = 0;
  for (const ParameterId parameter : op.parameters) {
    while (fed.count(at) != 0) ++at;
    if (at++ == operand) return parameter;
  }
  return std::nullopt;
}

} // namespace model_validator
