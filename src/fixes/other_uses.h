#pragma once

#include "fixes/python/source_index.h"

#include <string>

namespace model_validator::fixes {

/// Where other code gets at the module that a class keeps as an attribute, so that a second module
/// would differ: it hooks, replaces, changes or fuses it, by `net.act` or by its name in a text.
/// @param method  of the class, that calls the module
/// @returns a place; empty for none
std::string use_of_module(const std::string& attribute, const Node& method, SourceIndex& index);

/// Where code runs methods of a class on what its constructor has not made, or takes part in how
/// its attributes are set, so that an instance may lack a new one.
/// @returns a place; empty for none
std::string instance_without_constructor(const Node& type, SourceIndex& index);

} // namespace model_validator::fixes
