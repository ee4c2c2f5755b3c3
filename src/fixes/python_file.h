#pragma once

#include "fixes/imports.h"
#include "fixes/module_class.h"
#include "fixes/scope.h"
#include "fixes/source_files.h"
#include "fixes/text_edit.h"
#include "fixes/text_position.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// What a class of a file is given by the fixes.
struct ClassChange {
  std::set<std::string> names;                                      ///< that are taken
  std::map<std::string, int> next;                                  ///< number to try, by name
  std::map<std::pair<std::size_t, std::size_t>, std::string> given; ///< by the call that uses it
  std::vector<std::string> assignments;                             ///< of `__init__`, in order
};

/// `from PACKAGE import NAME`; `import NAME` without a package.
struct Import {
  std::string package;
  std::string name;
  friend auto operator<=>(const Import&, const Import&) = default;
};

/// A Python file that is being fixed.
class PythonFile {
public:
  explicit PythonFile(SourceFiles::File file);

  const SourceFiles::File& file() const noexcept { return file_; }
  const PythonTree& tree() const noexcept { return tree_; }
  const Imports& imports() const noexcept { return imports_; }
  Node root() const { return tree_.root(); }
  const LineStarts& lines() const noexcept { return lines_; }
  /// A line, counted from 1, without the spaces around it.
  std::string_view line(int number) const;

  /// Whether TorchScript's compiler reads parts of the file even where the model is traced.
  bool is_compiled() const { return file_.text.find("torch.jit.") != std::string::npos; }

  ClassChange& change_of(const Node& type);
  /// An attribute that the class does not have yet: `name`, else `name_2`, `name_3`…
  std::string free_name(const Node& type, const std::string& name, int first_number = 1);

  /// What the file calls something of a package, which is imported where it is not yet.
  std::string use(const Import& import);
  /// The edit for all that is imported; nothing to edit where nothing is.
  std::vector<TextEdit> import_edits() const { return import_edits(wanted_); }
  /// The same for some of it.
  std::vector<TextEdit> import_edits(const std::vector<Import>& imports) const;

  std::vector<TextEdit> edits;

private:
  bool is_defined(const std::string& name) const;
  std::string known_as(const Import& import) const;
  std::string alias_of(const std::string& name) const;

  SourceFiles::File file_;
  LineStarts lines_;
  PythonTree tree_;
  Imports imports_;
  std::map<std::size_t, ClassChange> classes_;
  std::vector<Import> wanted_;
};

} // namespace model_validator::fixes
