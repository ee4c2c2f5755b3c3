#pragma once

#include "fixes/python/mention.h"
#include "fixes/python/source_index.h"

#include <vector>

namespace model_validator::fixes {

/// Code that gives a function, or a class of torch, another meaning: `net.F.relu = …`,
/// `patch("net.F.relu")`, `nn.ReLU.forward = …`.
std::vector<Node> function_mentions(const Touched& touched, SourceIndex& index);

} // namespace model_validator::fixes
