#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace model_validator::partition {

/// Whether a list is never changed, and nothing else holds it.
bool only_read_or_copied(const torch::jit::Value& list);

/// Copies of lists that are made in the graph and only read become separate lists, and the sum,
/// minimum and maximum of known integers become constants. torch's passes leave both alone, because
/// a list may be changed.
void fold_known_lists(torch::jit::Graph& graph);

} // namespace model_validator::partition
