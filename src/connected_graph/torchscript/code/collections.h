#pragma once

#include "connected_graph/torchscript/ir/names.h"

#include <cstdint>
#include <optional>

namespace model_validator::torchscript {

/// Whether a user of a list or dict leaves it unchanged, and does not hold it.
bool only_reads(const torch::jit::Use& use);
/// Whether a list or dict is never changed and nothing else holds it.
bool only_read(const Value& collection);

/// The element that a node picks from a list, dict or tuple that was made in the graph and is only
/// read; null if unknown, and for a node that picks nothing.
Value* picked_element(Node& node);

/// The length that a node queries of a list that was made in the graph and is only read.
std::optional<std::int64_t> known_length(const Node& node);

} // namespace model_validator::torchscript
