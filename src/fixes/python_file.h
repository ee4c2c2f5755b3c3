#pragma once

#include "fixes/module_class.h"
#include "fixes/python/imports.h"
#include "fixes/python/scope.h"
#include "fixes/python/source_files.h"
#include "fixes/python/text_edit.h"
#include "fixes/python/text_position.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// What the fixes give to a class of a file.
struct ClassChange {
  std::set<std::string> names;          ///< that are taken
  std::map<std::string, int> next;      ///< number to try, by name
  std::map<NodeKey, std::string> given; ///< by the call that uses it
  std::vector<std::string> assignments; ///< of `__init__`, in order
  /// Why a call may not become that of a module, for one of the instances at least.
  std::map<NodeKey, std::string> refused;
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
  std::string_view line(int number) const { return lines_.line(file_.text, number); }

  /// Whether a name is one that the file uses.
  bool uses(const std::string& name) const { return names_.count(name) != 0; }
  /// Whether TorchScript's compiler reads parts of the file even where the model is traced.
  bool is_compiled() const { return file_.text.find("torch.jit.") != std::string::npos; }

  /// Whether what it computes may have several floating dtypes.
  bool mixes_dtypes() const;

  ClassChange& change_of(const Node& type);
  /// That of a class by where it begins, which was asked for before.
  const ClassChange& change_at(std::size_t type) const { return classes_.at(type); }
  /// An attribute that the class does not have yet: `name`, else `name_2`, `name_3`…
  std::string free_name(const Node& type, const std::string& name, int first_number = 1);

  /// The attribute that a call of the class was given, or a free one. @returns whether it is new,
  /// too
  std::pair<std::string, bool> attribute_for(const Node& type, const Node& call,
                                             const std::string& name, int first_number = 1);

  /// The name of the class that is made of a function.
  const std::string& class_made_of(const Node& function);

  /// The name of an import throughout the file; empty where it has none, or means something else as
  /// well.
  std::string name_for(const std::string& full) const;
  /// The name of something of a package in the file, which imports it if it does not yet.
  std::string use(const Import& import) const;
  /// The edit for what is imported; nothing to edit where nothing is.
  std::vector<TextEdit> import_edits(const std::vector<Import>& imports) const;

private:
  std::string known_as(const Import& import) const;
  std::string alias_of(const std::string& name) const;

  SourceFiles::File file_;
  LineStarts lines_;
  PythonTree tree_;
  Imports imports_;
  std::set<std::string, std::less<>> names_;       ///< that the file uses
  std::set<std::string, std::less<>> given_names_; ///< that mean something which it makes itself
  std::map<std::size_t, ClassChange> classes_;
  std::map<std::size_t, std::string> made_of_functions_; ///< names of classes, by function
};

} // namespace model_validator::fixes
