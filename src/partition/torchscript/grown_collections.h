#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace model_validator::partition {

/// Makes a list that is appended to or of which elements are set, or a dict that is given entries
/// by known keys, anew after each such step that a read follows: then its elements are known
/// wherever it is read. Only what is otherwise read alone is taken. What tensors share memory does
/// not matter: the new one holds the very same ones.
void rebuild_grown_collections(torch::jit::Graph& graph);

} // namespace model_validator::partition
