#pragma once

#include "fixes/python_tree.h"

#include <map>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// Where a function makes and uses its names.
class NameUses {
public:
  explicit NameUses(const Node& function);
  /// The last assignment to a name that begins before a place; no node where there is none.
  Node made_before(const std::string& name, std::size_t place) const;
  /// The uses of a name that begin there.
  std::vector<Node> between(const std::string& name, std::size_t begin, std::size_t end) const;

private:
  std::map<std::string, std::vector<Node>> made_;
  std::map<std::string, std::vector<Node>> used_;
};

/// Why `x += y` is not the same as `x = x + y`: somebody else sees what it writes into. A clause;
/// empty where nothing in the function speaks for that.
std::string seen_elsewhere(const Node& augmented, const NameUses& names);

} // namespace model_validator::fixes
