#pragma once

#include "fixes/python_tree.h"
#include "fixes/text_edit.h"

#include <map>
#include <optional>
#include <string>

namespace model_validator::fixes {

/// What the names of a file stand for by its imports: `F` for `torch.nn.functional`.
class Imports {
public:
  explicit Imports(const Node& root);

  /// The full name of `F.relu`; empty where its first part is no import.
  std::string resolve(std::string_view dotted) const;
  /// What the file calls an import: `nn` of `torch.nn`; empty where it has none.
  std::string name_for(const std::string& full) const;
  /// Whether the name stands for an import.
  bool has(const std::string& name) const { return names_.count(name) != 0; }

private:
  void add_import(const Node& statement);
  void add_from(const Node& statement);
  std::map<std::string, std::string> names_;
};

/// Where a further import goes: behind the last of those that the file begins with.
struct ImportPlace {
  std::size_t offset = 0;
  bool after_import = false; ///< another stands there, and no line needs to be left empty
};
ImportPlace import_place(const Node& root);

} // namespace model_validator::fixes
