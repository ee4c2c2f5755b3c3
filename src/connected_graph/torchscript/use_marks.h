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

/// What was noted at a node:
/// - `of an if`: it reads a list of tensors that an `if` yields, or that one of its arms changes;
/// - `from outside`: it joins, within an `if` or a loop, the tensors of a list made outside;
/// - `dynamic`: it adds a list of tensors to another whose elements are not known when it is made;
/// - `constant bool[]`: it reads a constant of that type;
/// - `slice`: it joins the tensors of a part of a list;
/// - `iterated`: it yields a list of tensors that is neither unpacked nor read at known places
///   where it is made;
/// - `picked`: it yields a list of tensors, some of which are read one by one;
/// - `mask after None`: it indexes with a mask that is not for the first dimension;
/// - `compared`: the dtype or layout that it yields is compared.
/// Empty for most nodes.
std::string use_mark(const torch::jit::Node& node);

} // namespace model_validator::torchscript
