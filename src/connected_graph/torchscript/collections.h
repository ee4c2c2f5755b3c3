#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <cstdint>
#include <optional>

namespace model_validator::torchscript {

/// Whether who uses a list or dict leaves it as it is, and does not hold it.
bool only_reads(const torch::jit::Use& use);
/// Whether a list or dict is nowhere changed and nobody else holds it.
bool only_read(const torch::jit::Value& collection);

/// The element that a node picks from a list, dict or tuple that was made in the graph and is only
/// read; null where that is not known, and for a node that picks nothing.
torch::jit::Value* picked_element(torch::jit::Node& node);

/// The length that a node asks for, of a list that was made in the graph and is only read.
std::optional<std::int64_t> known_length(const torch::jit::Node& node);

} // namespace model_validator::torchscript
