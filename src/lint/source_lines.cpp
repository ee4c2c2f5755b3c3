#include "lint/source_lines.h"

#include "files/installed_package.h"
#include "files/real_path.h"

#include <utility>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

/// As short as it can be from the working folder.
std::string shown_path(const fs::path& file, const fs::path& folder) {
  const fs::path path = file.lexically_normal();
  return is_within(path, folder) ? path.lexically_relative(folder).string() : path.string();
}

} // namespace

void add_lines_at_hand(std::vector<Diagnostic>& findings) {
  PythonSource files;
  for (Diagnostic& finding : findings)
    for (DiagnosticLocation& location : finding.locations)
      if (location.code.empty() && location.source.known())
        location.code = files.line(location.source.file, location.source.line);
}

const std::string& SourcesAtHand::place_of(const std::string& recorded) {
  const auto [place, added] = places_.try_emplace(recorded, recorded);
  // The packages of the machine that exported are not looked for on this one.
  const bool looked_for = fs::path(recorded).extension() == ".py";
  if (!added || !looked_for) return place->second;
  const bool installed = !installed_package(recorded).empty();
  const fs::path found =
      moved_.find(recorded, installed ? MovedSources::Search::off : MovedSources::Search::on);
  if (!found.empty() && found != recorded)
    place->second = shown_path(found, moved_.working_folder());
  return place->second;
}

void SourcesAtHand::follow(Diagnostic& finding) {
  std::string changed;
  for (DiagnosticLocation& location : finding.locations) {
    SourceLocation& source = location.source;
    if (!source.known()) continue;
    source.file = place_of(source.file);
    const std::string line = files_.line(source.file, source.line);
    if (location.code.empty()) {
      location.code = line;
    } else if (files_.has(source.file) && without_blanks(line) != without_blanks(location.code)) {
      location.code.clear();
      changed = source.file;
    }
  }
  if (!changed.empty())
    finding.notes.push_back("`" + changed +
                            "` has changed since the export, so its line is left out");
}

void SourcesAtHand::follow(std::vector<Diagnostic>& findings, std::vector<InlineIgnore>& ignores) {
  for (Diagnostic& finding : findings) follow(finding);
  for (InlineIgnore& ignore : ignores) ignore.where.file = place_of(ignore.where.file);
}

} // namespace model_validator
