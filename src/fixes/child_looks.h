#pragma once

#include "fixes/child_flow.h"
#include "fixes/receivers.h"
#include "fixes/source_index.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// Code that looks at the children of modules.
struct ChildLook {
  std::string place; ///< `net.children()` in `train.py`, line 3
  Receiver receiver; ///< at whose children it looks
  /// What a new child has to be for it to notice nothing; nothing where it notices any.
  std::optional<ChildDemands> demands;
  std::optional<ChildDemands> of_copies; ///< the same for a copy of a child that is there
};

/// All of them in the source, except those that no edit can reach.
std::vector<ChildLook> looks_at_children(SourceIndex& index);

/// A child that an edit adds.
struct NewChild {
  std::string type;        ///< the last name of its class
  std::string name;        ///< of the attribute
  bool is_list = false;    ///< a list of such modules
  bool is_first = false;   ///< of the children of its class
  std::string copied = {}; ///< the attribute that it is a copy of, if any
  bool in_part = false;    ///< its class is only made as a part of others
};

/// Whether code would notice a child in an instance of a family.
/// @param classes  of the child, and what they have, where they are the user's
bool notices(const ChildLook& look, const ClassFamily& family, const NewChild& child,
             const ClassFamily& child_family);

} // namespace model_validator::fixes
