#pragma once

#include <model_validator/connected_graph.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace model_validator {

/// The op that yields an operand of another; `none` where no product feeds it.
OpId op_at_operand(const ConnectedGraph& graph, OpId id, std::size_t operand);

/// The ops whose results an op is given, operand by operand as they were connected.
std::vector<OpId> operand_ops(const ConnectedGraph& graph, OpId id);

/// At which operand each parameter of a functional op stands. Where the front end does not say so,
/// they take those that no product feeds, in order.
std::vector<std::size_t> operands_of_parameters(const ConnectedGraph& graph, OpId id);

/// The parameter that stands at an operand of a functional op.
std::optional<ParameterId> parameter_at_operand(const ConnectedGraph& graph, OpId id,
                                                std::size_t operand);

} // namespace model_validator
