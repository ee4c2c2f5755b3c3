#pragma once

#include <model_validator/partition/plan.h>

namespace model_validator::partition {

/// Fills in the inputs and outputs of each partition. A query is computed where it is needed, so
/// its inputs cross instead.
void find_boundaries(const ConnectedGraph& graph, Plan& plan);

} // namespace model_validator::partition
