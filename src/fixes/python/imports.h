#pragma once

#include "fixes/python/python_tree.h"
#include "fixes/python/text_edit.h"

#include <map>
#include <optional>
#include <string>

namespace model_validator::fixes {

/// `relu` of `torch.nn.functional.relu`.
template <class Text> Text last_part(const Text& dotted) {
  return dotted.substr(dotted.rfind('.') + 1);
}

/// What the names of a file stand for by its imports: `F` for `torch.nn.functional`.
class Imports {
public:
  explicit Imports(const Node& root);

  /// The full name of `F.relu`; empty where its first part is no import.
  std::string resolve(std::string_view dotted) const;
  /// The name of an import throughout the file: `nn` for `torch.nn`; empty where it has none.
  std::string name_for(const std::string& full) const;
  /// Whether the name stands for an import.
  bool has(const std::string& name) const { return names_.count(name) != 0; }

private:
  void add(const Node& statement, const std::string& name, std::string full);
  void add_import(const Node& statement);
  void add_from(const Node& statement);
  std::map<std::string, std::string> names_;
  std::map<std::string, std::string> everywhere_; ///< those that are not local to a function
};

/// Where the first import of a file goes.
struct ImportPlace {
  enum class Behind { nothing, text };
  std::size_t offset = 0;
  Behind behind = Behind::nothing;
};
ImportPlace import_place(const Node& root);

} // namespace model_validator::fixes
