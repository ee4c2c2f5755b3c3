#pragma once

#include "fixes/python/source_index.h"

#include <set>
#include <string>

namespace model_validator::fixes {

/// The classes of the source that a value may be of.
struct Receiver {
  bool any = false;          ///< which ones is not known
  bool from_outside = false; ///< the source never passes it: whole networks, as a caller has them
  std::set<std::string> classes;
};

/// As far as the source shows: by what is assigned to an expression, passed as it, and annotated.
/// Containers of torch's are none.
Receiver receiver_of_look(const Node& expression, SourceIndex& index);

/// Whether code of the source makes instances of a class within another class, as its parts.
bool is_part_of_others(const std::string& type, SourceIndex& index);

} // namespace model_validator::fixes
