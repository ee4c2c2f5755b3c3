#pragma once

#include "fixes/child_visibility.h"
#include "fixes/hazard.h"
#include "fixes/python/source_index.h"

#include <model_validator/diagnostic.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::fixes {

/// The user's source as it is before any edit, and what plans have learned of it.
class KnownSource {
public:
  explicit KnownSource(SourceFiles& files);
  ~KnownSource();
  KnownSource(const KnownSource&) = delete;
  KnownSource& operator=(const KnownSource&) = delete;

  SourceFiles& files() { return files_; }
  SourceIndex& index() { return index_; }
  /// Whether any code sets the mode of modules one by one, so that a new child may be in another
  /// mode than its class.
  bool shares_mode(const Node& type);
  /// Why a new child at the end of a class's constructor is not one that nobody notices: instances
  /// that are made otherwise than its file shows, and code that looks at their children.
  /// @param imports  of the file of the class
  Hazard of_new_child(const Node& type, const Imports& imports, const NewChild& child);
  /// Why something other than calling the module that a class keeps may be done to it.
  /// @param method  of the class, that calls the module
  Hazard of_other_uses(const std::string& attribute, const Node& method);
  /// Code that has to run in a proof of a finding's edits, by the last plan.
  const std::vector<CodePlace>& code_to_run(const Diagnostic& finding) const {
    return to_run_.at(&finding);
  }
  void must_run(const Diagnostic& finding, std::vector<CodePlace> places) {
    to_run_[&finding] = std::move(places);
  }

  /// Why a buffer in the place of a tensor may be noticed.
  const Hazard& of_new_buffer();

private:
  /// Where there may be an instance of a class that has not run its constructor.
  const Hazard& made_otherwise(const Node& type, const Imports& imports);
  Hazard unfinished(const Node& type);
  void add_places(Hazard& hazard, const std::vector<Node>& code, const std::string& what);

  SourceFiles& files_;
  SourceIndex index_;
  std::optional<ChildVisibility> visibility_;
  std::map<ClassKey, Hazard> made_otherwise_;
  Hazard unknown_; ///< of the last class that no file of the index holds as it is
  std::optional<Hazard> new_buffer_;
  std::optional<bool> sets_modes_;
  std::map<const Diagnostic*, std::vector<CodePlace>> to_run_;
};

} // namespace model_validator::fixes
