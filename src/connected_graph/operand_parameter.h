#pragma once

#include <model_validator/connected_graph.h>

#include <optional>

namespace model_validator {

/// The parameter that stands at an operand of a functional op. Where the front end does not say at
/// which operands its parameters stand, they take those that no product feeds, in order.
std::optional<ParameterId> parameter_at_operand(const ConnectedGraph& graph, OpId id,
                                                std::size_t operand);

} // namespace model_validator
