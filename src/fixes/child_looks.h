#pragma once

#include "fixes/source_index.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// Code that may notice a new child of a module: it takes children by their place, counts them,
/// calls them, or changes those of a class.
struct ChildLook {
  std::string place;           ///< `net.children()` in `train.py`, line 3
  std::string own_class;       ///< whose instances alone it looks at; empty for any
  std::set<std::string> types; ///< that it looks for, by their last names; empty for any
};

/// All of them in the source.
std::vector<ChildLook> looks_at_children(SourceIndex& index);

/// Whether code would notice a child of a class in an instance of a family.
bool notices(const ChildLook& look, const ClassFamily& family, const std::string& child_class);

} // namespace model_validator::fixes
