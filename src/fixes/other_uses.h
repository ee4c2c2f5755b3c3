#pragma once

#include "fixes/python/source_index.h"

#include <string>
#include <vector>

namespace model_validator::fixes {

/// Where other code gets at the module that a class keeps as an attribute, so that a second module
/// would differ: by `net.act`, by its name in a text, in a class that derives from it, or by names
/// that it computes.
/// @param method  of the class, that calls the module
std::vector<Node> uses_of_module(const std::string& attribute, const Node& method,
                                 SourceIndex& index);

} // namespace model_validator::fixes
