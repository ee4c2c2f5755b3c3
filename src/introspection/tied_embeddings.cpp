#include "introspection/tied_embeddings.h"

#include "introspection/packed_weights.h"

#include <optional>
#include <set>
#include <string>

namespace model_validator {
namespace {

/// Whether the first operand of an operator is a table that it looks rows up in.
bool looks_up(const std::string& type) { return type == "embedding" || type == "index_select"; }

/// Which operand of a product is its weight; none for other operators.
std::optional<std::size_t> weight_of(const std::string& type) {
  if (type == "linear" || type == "matmul" || type == "gemm" || type == "mm") return 1;
  return type == "addmm" ? std::optional<std::size_t>(2) : std::nullopt;
}

/// A module has its weight as a parameter, and no operand for it.
void add_weights(const ConnectedGraph& graph, OpId id, std::size_t operand,
                 std::set<ParameterId>& weights) {
  constexpr std::size_t table = 2;
  const Op& op = graph.op(id);
  if (op.kind == OpKind::module) {
    for (const ParameterId parameter : op.parameters)
      if (const auto& shape = graph.parameters()[parameter].type.shape;
          shape && shape->size() == table)
        weights.insert(parameter);
  } else if (const auto parameter = parameter_behind(
                 graph, id, operand, Does::transposes | Does::keeps)) { // only turned
    weights.insert(*parameter);
  }
}

} // namespace

std::size_t count_tied_embeddings(const ConnectedGraph& graph) {
  std::set<ParameterId> looked_up, multiplied;
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const std::string& type = graph.op(id).type;
    if (looks_up(type)) add_weights(graph, id, 0, looked_up);
    if (const auto weight = weight_of(type)) add_weights(graph, id, *weight, multiplied);
  }
  std::size_t tied = 0;
  for (const ParameterId weight : looked_up) tied += multiplied.count(weight);
  return tied;
}

} // namespace model_validator
