#pragma once

#include "fixes/python/source_index.h"

#include <string>
#include <vector>

namespace model_validator::fixes {

/// Where the source may have instances of a class that its constructor has not made, or runs the
/// methods of the class on what is no instance.
std::vector<Node> made_without_constructor(const Node& type, SourceIndex& index);

/// A method of a class, or of one of its family, that takes part in how its instances are made,
/// copied or given attributes; empty for none.
std::string method_of_instances(const Node& type, SourceIndex& index);

} // namespace model_validator::fixes
