#pragma once

#include "connected_graph/torchscript/ir/names.h"

#include <functional>
#include <string>

namespace model_validator::torchscript {

/// Notes on nodes how the list they work on was made, where a converter that handles lists
/// differently from tensors may fail. Must run before branches are removed: such a converter builds
/// all of them first.
void mark_uses(Graph& graph);

/// Notes on nodes that read elements of a list or dict which `is_constant` what type of constant it
/// is.
void mark_constant_lists(Graph& graph, const std::function<bool(const Value&)>& is_constant);

/// What was noted on a node, in the words of `noted_use.h`; empty for most nodes.
std::string use_mark(const Node& node);

} // namespace model_validator::torchscript
