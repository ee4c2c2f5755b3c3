#include "lint/source_lines.h"

#include "files/installed_package.h"
#include "files/real_path.h"

#include <chrono>
#include <string_view>

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

SourcesAtHand::Place& SourcesAtHand::place_of(const std::string& recorded) {
  const auto [known, added] = places_.try_emplace(recorded, Place{recorded});
  Place& place = known->second;
  if (!added || fs::path(recorded).extension() != ".py") return place;
  // The packages of the machine that exported are not looked for on this one.
  const bool installed = !installed_package(recorded).empty();
  const fs::path found =
      moved_.find(recorded, installed ? MovedSources::Search::off : MovedSources::Search::on);
  place.lost = found.empty() && !installed;
  if (!found.empty() && found != recorded) place.file = shown_path(found, moved_.working_folder());
  return place;
}

/// The places in it, which are written as `net.py:93`, are those of this machine.
std::string SourcesAtHand::follow(const std::string& note) {
  constexpr std::string_view end = ".py:";
  std::string text;
  std::size_t done = 0;
  for (std::size_t at = note.find(end); at != std::string::npos; at = note.find(end, done)) {
    const std::size_t stop = at + end.size() - 1;
    const std::string before = note.substr(done, stop - done);
    const std::size_t begin = before.find_last_of(" `") + 1; // npos + 1 is 0
    text += before.substr(0, begin) + place_of(before.substr(begin)).file;
    done = stop;
  }
  return text + note.substr(done);
}

bool SourcesAtHand::is_newer(const std::string& file) {
  constexpr std::chrono::minutes one_checkout{1}; // may write both, in any order
  if (!asked_.insert(file).second) return false;
  std::error_code failed;
  const auto exported = fs::last_write_time(model_, failed);
  if (failed) return false;
  const auto edited = fs::last_write_time(file, failed);
  return !failed && edited - exported > one_checkout;
}

/// What the model's findings propose for lines that are there no more is not what is left to do.
void SourcesAtHand::tell_changed(const std::string& file, Diagnostic& finding) {
  finding.help.clear();
  if (!told_.insert(file).second) return;
  finding.notes.push_back("`" + file +
                          "` has changed since the export, so lines that differ are left out");
  finding.help = "export the model again";
}

SourcesAtHand::Line SourcesAtHand::show_line(DiagnosticLocation& location) {
  const SourceLocation& source = location.source;
  const std::string line = files_.line(source.file, source.line);
  if (location.code.empty()) {
    location.code = line;
    return !line.empty() && is_newer(source.file) ? Line::newer : Line::as_told;
  }
  if (files_.has(source.file) && !is_same_code(line, location.code)) {
    location.code.clear();
    return Line::changed;
  }
  location.code = files_.has(source.file) ? line : without_ignore(location.code);
  return Line::as_told;
}

void SourcesAtHand::follow(Diagnostic& finding) {
  std::string changed, lost, newer;
  for (DiagnosticLocation& location : finding.locations) {
    SourceLocation& source = location.source;
    if (!source.known()) continue;
    Place& place = place_of(source.file);
    if (std::exchange(place.lost, false)) lost = source.file;
    source.file = place.file;
    const Line line = show_line(location);
    if (line == Line::newer) newer = source.file;
    if (line == Line::changed) changed = source.file;
  }
  for (std::string& note : finding.notes) note = follow(note);
  if (!changed.empty()) tell_changed(changed, finding);
  if (!newer.empty())
    finding.notes.push_back("`" + newer +
                            "` was written after the model, which holds none of its lines: they "
                            "may have moved, so export the model again");
  if (!lost.empty() && !moved_.folders().empty())
    finding.notes.push_back("`" + lost + "` lies beneath no OLD of `--source-root OLD=NEW`");
}

void SourcesAtHand::follow(std::vector<Diagnostic>& findings, std::vector<InlineIgnore>& ignores,
                           const fs::path& model) {
  model_ = model;
  asked_.clear();
  told_.clear();
  looked_above_.clear();
  for (Diagnostic& finding : findings) follow(finding);
  std::erase_if(ignores, [this](InlineIgnore& ignore) {
    SourceLocation where = ignore.where;
    where.file = place_of(where.file).file;
    auto here = parse_ignore(files_.line(where.file, where.line));
    if (!here) return true;
    ignore = std::move(*here);
    ignore.where = std::move(where);
    return false;
  });
  for (const Diagnostic& finding : findings) add_ignores_above(finding, ignores);
}

void SourcesAtHand::add_ignores_above(const Diagnostic& finding,
                                      std::vector<InlineIgnore>& ignores) {
  for (const DiagnosticLocation& location : finding.locations) {
    const SourceLocation& source = location.source;
    if (source.line < 2 || !looked_above_.emplace(source.file, source.line).second) continue;
    auto ignore = ignore_above(files_.line(source.file, source.line - 1));
    if (!ignore) continue;
    ignore->where = {source.file, source.line - 1, 0, 0};
    ignores.push_back(std::move(*ignore));
  }
}

} // namespace model_validator
