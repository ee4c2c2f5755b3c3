#pragma once

#include "fixes/python/mention.h"
#include "fixes/python/source_index.h"

#include <vector>

namespace model_validator::fixes {

/// Code that names an attribute of a class otherwise than to make it in the constructor and to call
/// it.
std::vector<Node> attribute_mentions(const Touched& touched, SourceIndex& index);

/// Code that gives a function, or a class of torch, another meaning: `net.F.relu = …`,
/// `patch("net.F.relu")`, `nn.ReLU.forward = …`.
std::vector<Node> function_mentions(const Touched& touched, SourceIndex& index);

/// Whether a line of a notebook or a configuration may name an attribute or replace a function.
bool is_mentioned_in(std::string_view line, const Touched& touched);

} // namespace model_validator::fixes
