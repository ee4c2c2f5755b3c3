#pragma once

#include "files/moved_sources.h"
#include "files/python_source.h"
#include "lint/inline_ignores.h"

#include <model_validator/diagnostic.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace model_validator {

/// Gives locations without a line of code the line of the Python file that they name, where it can
/// be read.
void add_lines_at_hand(std::vector<Diagnostic>& findings);

/// The Python files that models name, where they are on this machine. The process that reads a
/// model can read no other file, so this is used outside it.
class SourcesAtHand {
public:
  explicit SourcesAtHand(std::vector<SourceRoot> roots)
      : moved_(std::move(roots)), files_(moved_.folders()) {}

  /// Points findings, with the places in their notes, and suppressions at the files as they are
  /// here, and gives locations the text of their lines. A comment that only the model holds hides
  /// nothing: whoever made the file could have written it. A line that a model carries is left out
  /// where the file says something else. A file that has changed is told once, and what its
  /// findings propose is left out. A comment above a line, which hides nothing there, is told of. A
  /// file that is nowhere although roots were given is told once,
  /// too, and so is one that was written after a model that holds none of its lines.
  /// @param model  the file of the model
  void follow(std::vector<Diagnostic>& findings, std::vector<InlineIgnore>& ignores,
              const std::filesystem::path& model);

private:
  struct Place {
    std::string file;
    bool lost = false; ///< not here, and not yet told
  };

  /// What became of the line that a finding shows.
  enum class Line { as_told, newer, changed };
  Line show_line(DiagnosticLocation& location);
  void follow(Diagnostic& finding);
  std::string follow(const std::string& note);
  /// Comments above the lines of a finding that are meant to hide it.
  void add_ignores_above(const Diagnostic& finding, std::vector<InlineIgnore>& ignores);
  void tell_changed(const std::string& file, Diagnostic& finding);
  Place& place_of(const std::string& recorded);
  /// Than the model. True once for a file.
  bool is_newer(const std::string& file);

  MovedSources moved_;
  PythonSource files_;
  std::map<std::string, Place> places_; ///< by recorded path
  std::filesystem::path model_;
  std::set<std::string> asked_;                        ///< files whose age is known, and told
  std::set<std::string> told_;                         ///< files that are told to have changed
  std::set<std::pair<std::string, int>> looked_above_; ///< lines
};

} // namespace model_validator
