#pragma once

#include "fixes/python_tree.h"

#include <string>

namespace model_validator::fixes {

/// Why `x += y` is not the same as `x = x + y`: somebody else sees what it writes into. A clause;
/// empty where nothing in the function speaks for that.
std::string seen_elsewhere(const Node& augmented, const Node& function);

} // namespace model_validator::fixes
