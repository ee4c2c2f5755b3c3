#pragma once

#include "fixes/python/mention.h"
#include "fixes/python/source_index.h"

#include <vector>

namespace model_validator::fixes {

/// Code that names an attribute of a class otherwise than to make it in the constructor and to call
/// it.
std::vector<Node> attribute_mentions(const Touched& touched, SourceIndex& index);

} // namespace model_validator::fixes
