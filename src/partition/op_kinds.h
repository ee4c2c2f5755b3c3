#pragma once

#include <model_validator/connected_graph.h>

namespace model_validator::partition {

/// Whether an op does work that a target is chosen for. Queries are computed where they are needed.
inline bool computes(const Op& op) {
  return op.kind == OpKind::module || op.kind == OpKind::functional ||
         op.kind == OpKind::control_flow;
}

/// Whether an op has a place in a partition; inputs, outputs and constants have none.
inline bool is_divided(const Op& op) { return computes(op) || op.kind == OpKind::query; }

} // namespace model_validator::partition
