#pragma once

#include "fixes/python/imports.h"
#include "fixes/python/python_tree.h"

namespace model_validator::fixes {

/// Whether a value is surely there to be run along, however often: `nn.ModuleList(layers)`,
/// `list(rates)`, `range(n)`, `clones(layer, 6)` of the same file, where that gives back such a
/// value. What a constructor is given may be an iterator, or `None`.
bool can_be_run_along(const Node& value, const Imports& imports);

/// Whether a value is surely a whole number: `3`, `len(layers)`, a parameter `n=3` or `n: int`.
bool is_whole_number(const Node& value);

} // namespace model_validator::fixes
