#pragma once

#include "fixes/python/scope.h"
#include "fixes/python/text_edit.h"

#include <optional>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// Where a class gets an attribute.
struct ConstructorSite {
  std::size_t offset = 0; ///< of the end of the line before
  std::string indent;
  std::string self = "self";
  bool new_init = false; ///< the class has no `__init__`: one is made
  bool one_line = false; ///< `__init__` is on one line, as `def __init__(self): super().__init__()`
  std::string base;      ///< whose constructor's signature the new one shows, if any
  std::string wraps;     ///< what the file calls `functools.wraps`
  std::string refusal;   ///< why there is no such place, as a clause
};

/// After all that `__init__` does; or, where that runs the model, right after the call of the base
/// class's.
ConstructorSite constructor_site(const Node& type);

/// Some classes run themselves, or a part, during construction, as to learn their sizes.
/// @param relatives  a class, and what may run methods of it or has others in their place
bool runs_itself(const std::vector<Node>& relatives);

/// A call to which a class's `__init__` hands the unfinished instance: `copy.deepcopy(self)`; no
/// node for none.
Node hands_itself_on(const Node& type);

/// Whether a class's `__init__` returns early, or runs the class itself, as to learn a size.
bool is_left_early(const Node& type);

/// Whether a class runs the constructor of a base that it names.
/// @param named  among its bases
bool runs_init_of(const Node& type, const Node& named);

/// The statements by which a class gives itself an attribute, `self.NAME = …`, in its methods.
std::vector<Node> assignments_of(const Node& type, std::string_view attribute);

/// The edit that makes assignments there: `NAME = EXPRESSION` each.
TextEdit assignments_at(const ConstructorSite& site, const std::vector<std::string>& assignments,
                        const std::string& source);

/// A copy of an assignment, placed after it, to another attribute.
TextEdit copy_behind(const Node& assignment, const std::string& attribute, const std::string& value,
                     const std::string& source);

/// Whether the class can hold modules when an assignment runs: its base class's constructor has
/// run.
bool may_hold_module(const Node& assignment);

/// Whether nothing stands before an assignment on its line.
bool stands_alone(const Node& assignment);

} // namespace model_validator::fixes
