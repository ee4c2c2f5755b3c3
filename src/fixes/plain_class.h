#pragma once

#include "fixes/python/imports.h"
#include "fixes/python/python_tree.h"

#include <string>

namespace model_validator::fixes {

/// Whether every instance of a class is made as its file shows: it has an `__init__` of its own
/// that runs that of its base class in a plain statement and to its end, and its base is
/// `nn.Module` or a class of the same file of this kind.
/// @returns what is otherwise, as a clause; empty where nothing is
std::string what_is_special_about(const Node& type, const Imports& imports);

} // namespace model_validator::fixes
