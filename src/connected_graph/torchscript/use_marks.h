#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <functional>
#include <string>

namespace model_validator::torchscript {

/// Notes at nodes how the list came to be that they work on, where a converter that keeps lists
/// apart from tensors may not follow. It is to be done before arms are left out: such a converter
/// builds all of them first.
void mark_uses(torch::jit::Graph& graph);

/// Notes at nodes that read elements of a list or dict which `is_constant` what it is a constant
/// of.
void mark_constant_lists(torch::jit::Block& block,
                         const std::function<bool(const torch::jit::Value&)>& is_constant);

/// What was noted at a node, in the words of `noted_use.h`; empty for most nodes.
std::string use_mark(const torch::jit::Node& node);

} // namespace model_validator::torchscript
