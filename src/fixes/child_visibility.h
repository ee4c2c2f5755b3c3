#pragma once

#include "fixes/child_turn.h"
#include "fixes/python/source_index.h"

#include <optional>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// A module without weights that an edit gives the instances of a class, as the last of their
/// children.
struct NewChild {
  std::string type; ///< its class
  std::string name; ///< the attribute
};

/// Code that gets at the modules of a network, other than by a name that it spells out.
struct ChildLook {
  Node code;
  Node of_class = {}; ///< it looks at children of this class's instances alone; no node: at any
  Asked asked = {};   ///< which modules it is about
};

/// All code of the source that may notice one module more. It notices any that is not of one of the
/// forms that `child_turn` knows. Packages are not read: theirs gets the modules in order, and
/// cannot know of the last one.
class ChildVisibility {
public:
  explicit ChildVisibility(SourceIndex& index) : index_(index) {}

  /// The looks that notice such a child of a family of classes.
  std::vector<Node> noticing(const ClassFamily& family, const NewChild& child);

private:
  const std::vector<ChildLook>& looks();
  bool takes_otherwise(const ClassFamily& family, const std::set<std::string>& replaced);

  SourceIndex& index_;
  std::optional<std::vector<ChildLook>> looks_;
};

} // namespace model_validator::fixes
