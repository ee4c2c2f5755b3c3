#pragma once

#include "fixes/python/python_tree.h"

namespace model_validator::fixes {

/// Where code notices a new child. Thrown.
struct Noticed {
  Node where;
};

} // namespace model_validator::fixes
