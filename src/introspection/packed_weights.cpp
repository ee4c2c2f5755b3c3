#include "introspection/packed_weights.h"

#include "connected_graph/attributes.h"
#include "connected_graph/operand_parameter.h"

#include <algorithm>

namespace model_validator {
namespace {

constexpr const char* packed_product = "com.microsoft::MatMulNBits";
constexpr const char* packed_look_up = "com.microsoft::GatherBlockQuantized";

std::optional<ParameterId> operand_parameter(const ConnectedGraph& graph, OpId id,
                                             std::size_t operand) {
  return parameter_behind(graph, id, operand, Does::reshapes);
}

PackedWeight packed(const Op& op, const Parameter& parameter) {
  constexpr std::int64_t usual_bits = 4, usual_block = 128, byte = 8;
  PackedWeight weight;
  weight.bits = integer_of(op.attributes, "bits").value_or(usual_bits);
  weight.block_size = integer_of(op.attributes, "block_size").value_or(usual_block);
  const auto columns = integer_of(op.attributes, "N");
  const std::int64_t depth = packed_depth(op);
  const bool many_a_byte = parameter.type.dtype == "uint8" && weight.bits > 0 && weight.bits < byte;
  if (depth > 0 && columns && *columns > 0)
    weight.elements = static_cast<std::uint64_t>(depth) * static_cast<std::uint64_t>(*columns);
  else
    weight.elements = stored_elements(parameter.type) *
                      (many_a_byte ? static_cast<std::uint64_t>(byte / weight.bits) : 1);
  return weight;
}

} // namespace

std::optional<ParameterId> parameter_behind(const ConnectedGraph& graph, OpId id,
                                            std::size_t operand, Does turned) {
  for (const auto edge : boost::make_iterator_range(boost::in_edges(id, graph.graph()))) {
    if (graph.graph()[edge].input != operand) continue;
    const OpId source = boost::source(edge, graph.graph());
    return does(graph.op(source).type, turned) ? parameter_at_operand(graph, source, 0)
                                               : std::nullopt;
  }
  return parameter_at_operand(graph, id, operand);
}

std::uint64_t stored_elements(const TensorType& type) {
  std::uint64_t count = type.shape ? 1 : 0;
  if (type.shape)
    for (const std::int64_t size : *type.shape)
      count *= static_cast<std::uint64_t>(std::max<std::int64_t>(size, 0));
  return count;
}

std::int64_t packed_depth(const Op& op) {
  return op.schema == packed_product ? integer_of(op.attributes, "K").value_or(0) : 0;
}

PackedWeights find_packed_weights(const ConnectedGraph& graph) {
  PackedWeights found;
  std::set<ParameterId> looked_up, multiplied;
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const Op& op = graph.op(id);
    const bool multiplies = op.schema == packed_product;
    if (!multiplies && op.schema != packed_look_up) continue;
    const auto weight = operand_parameter(graph, id, multiplies ? 1 : 0);
    for (const std::size_t operand : {2U, 3U})
      if (const auto scale = operand_parameter(graph, id, operand)) found.scales.insert(*scale);
    if (!weight) continue;
    (multiplies ? multiplied : looked_up).insert(*weight);
    const bool known = found.weights.count(*weight) != 0;
    if (!known || multiplies) found.weights[*weight] = packed(op, graph.parameters()[*weight]);
  }
  for (const ParameterId weight : looked_up) found.tied += multiplied.count(weight);
  return found;
}

} // namespace model_validator
