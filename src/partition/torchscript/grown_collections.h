#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace model_validator::partition {

/// Rebuilds a list that is appended to or has elements set, or a dict that gets entries under known
/// keys, after each such step that a read follows. Its elements are then known wherever it is read.
/// Applies only to collections that are otherwise only read. Shared tensor memory does not matter:
/// the new collection holds the same tensors.
void rebuild_grown_collections(torch::jit::Graph& graph);

} // namespace model_validator::partition
