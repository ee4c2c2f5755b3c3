#pragma once

#include "fixes/python/imports.h"
#include "fixes/python/python_tree.h"

#include <model_validator/diagnostic.h>

#include <map>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// Where a function makes and uses its names.
class NameUses {
public:
  explicit NameUses(const Node& function);
  /// The assignments to a name that begin before a place, the last one first, up to one that always
  /// runs before the place is reached.
  std::vector<Node> made_before(const std::string& name, const Node& place) const;
  /// The uses of a name that begin there.
  std::vector<Node> between(const std::string& name, std::size_t begin, std::size_t end) const;

private:
  std::map<std::string, std::vector<Node>> made_;
  std::map<std::string, std::vector<Node>> used_;
};

/// Whether a function writes into what an expression makes, or keeps it beyond the call, under the
/// name that it is assigned to: `z += 1`, `z[0] = 1`, `z.add_(1)`, `out=z`, `self.last = z`.
bool is_written_or_stored(const Node& made, const Node& function);

/// Why `x += y` is not the same as `x = x + y`: something else sees what it writes into. A clause;
/// empty where the model and the function show that nothing does.
std::string seen_elsewhere(const Node& augmented, const NameUses& names, const Imports& imports,
                           const Rewrite& rewrite);

} // namespace model_validator::fixes
