#pragma once

#include "fixes/draft.h"
#include "fixes/known_source.h"
#include "fixes/module_call.h"
#include "fixes/module_file.h"
#include "fixes/module_loop.h"
#include "fixes/plan.h"
#include "fixes/written_in_place.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace model_validator::fixes {

/// A place that names a function, in the file that it is in.
struct NamedFunction {
  PythonFile* file = nullptr;
  Node name;
};

/// The files of Python that a plan reads, and the files of classes that it writes next to them.
class PlannedFiles {
public:
  PlannedFiles(KnownSource& source, const PlanOptions& options)
      : source_(source), options_(options) {}

  /// Whether classes that torch does not have are written, not taken from a package.
  bool writes_classes() const { return options_.modules.empty(); }
  /// Whether TorchScript's compiler reads a file.
  bool compiles(const PythonFile& file) const;
  /// The file of a call, where it may be edited. @throws Refusal
  PythonFile& file_of(const SourceCall& call);
  /// A file by its path, where it may be edited. @throws Refusal
  PythonFile& file_at(const std::string& path);
  /// Where a class gets an attribute. @throws Refusal
  const ConstructorSite& site_in(const PythonFile& file, const Node& type);
  /// Makes that the place of a draft's assignments. @throws Refusal
  void place_in(const Node& type, Draft& draft);
  /// What a file calls the module that another is: `..layers.activations`. Empty where they are not
  /// in one package.
  std::string module_from(const PythonFile& file, const PythonFile& other);
  const NameUses& names_in(const PythonFile& file, const Node& function);
  /// The loop over modules around a node, if nothing else repeats the node.
  std::optional<ModuleLoop> module_loop_around(const Node& node, const PythonFile& file);
  /// What was found before for an attribute of a class and an operation; found once.
  using Kept = std::tuple<std::size_t, std::string, std::string>;
  const std::vector<NamedFunction>&
  kept_functions(const PythonFile& file, const Kept& kept,
                 const std::function<std::vector<NamedFunction>()>& find);
  /// The expression that makes a module, with what the draft's file calls its classes; the draft
  /// imports them, and its class is written where torch has none. @throws Refusal
  std::string constructor_of(const ModuleCall& made, Draft& draft);

  KnownSource& source() { return source_; }
  SourceIndex& index() { return source_.index(); }
  /// An attribute for a call, that neither the class's family nor other code uses, and that no
  /// other class of the family is given.
  /// @returns whether it is new, too
  std::pair<std::string, bool> attribute_for(PythonFile& file, const Node& type, const Node& call,
                                             const std::string& name, int first_number = 1);

  const std::map<std::string, std::unique_ptr<PythonFile>>& sources() const { return sources_; }
  const std::map<std::string, std::unique_ptr<ModuleFile>>& modules() const { return modules_; }

private:
  void note_package(const PythonFile& file, const std::string& class_name);
  bool is_in_package(const PythonFile& file) const;
  ModuleFile& module_file(const std::string& path);

  KnownSource& source_;
  const PlanOptions& options_;
  std::map<std::string, std::unique_ptr<PythonFile>> sources_; ///< by path
  std::map<std::string, PythonFile*> recorded_;                ///< by the path in the model
  std::map<std::string, std::unique_ptr<ModuleFile>> modules_;
  // A class may have thousands of findings. By where it begins in its file.
  std::map<const PythonFile*, std::map<std::size_t, ConstructorSite>> sites_;
  std::map<const PythonFile*, std::map<std::size_t, NameUses>> names_; ///< by function
  std::map<const PythonFile*, std::map<std::size_t, std::optional<ModuleLoop>>> loops_;
  std::map<const PythonFile*, std::map<Kept, std::vector<NamedFunction>>> kept_;
  std::map<const PythonFile*, bool> packages_;      ///< whether a file is in one
  std::map<ClassKey, std::set<std::string>> given_; ///< attributes, by the classes that get them
};

/// The name of something in the draft's file, which imports it if it does not yet.
std::string imported(Draft& draft, const Import& import);

/// `copy.deepcopy(EXPRESSION)`.
std::string copy_of(const std::string& expression, Draft& draft);

} // namespace model_validator::fixes
