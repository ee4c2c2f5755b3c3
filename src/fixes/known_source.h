#pragma once

#include "fixes/looks/child_looks.h"
#include "fixes/python/source_index.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace model_validator::fixes {

/// The user's source as it is before any edit, and what plans have learned of it.
class KnownSource {
public:
  explicit KnownSource(SourceFiles& files) : files_(files), index_(files) {}

  SourceFiles& files() { return files_; }
  SourceIndex& index() { return index_; }
  /// Whether any code sets the mode of modules one by one, so that a new child may be in another
  /// mode than its class.
  bool shares_mode(const Node& type);
  /// What would notice a new child, of a class, in a class's instances, or miss it; a clause, empty
  /// for nothing.
  /// @param imports  of the file of the class
  std::string notices_child(const Imports& imports, const Node& type, NewChild child);

private:
  /// Where there may be an instance of a class that has not run its constructor; empty for nowhere.
  std::string made_otherwise(const Node& type);

  SourceFiles& files_;
  SourceIndex index_;
  std::optional<ChildLooks> looks_;
  std::map<ClassKey, std::string> made_otherwise_;
  /// Of the user's classes that are children, and of classes that are not theirs.
  std::map<std::pair<std::string, bool>, ClassFamily> child_families_;
  std::optional<bool> sets_modes_;
};

} // namespace model_validator::fixes
