#pragma once

#include "connected_graph/magnitudes.h"

#include <model_validator/validator.h>

namespace model_validator {

/// `magnitudes_of` with the weights of the model being checked; without those that cannot be read,
/// which another check reports.
Magnitudes likely_magnitudes(const ConnectedGraph& graph, const Context& context);

} // namespace model_validator
