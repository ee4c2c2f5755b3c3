#include "fixes/fitting.h"

#include "fixes/bisection.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace model_validator::fixes {
namespace {

using Drafts = std::vector<const Drafted*>;

/// What a class is given, in the order in which its findings were drafted.
struct Given {
  const Draft* draft = nullptr;
  std::set<std::string> wanted;
};

std::vector<TextEdit> edits_of(const PythonFile& file, const Drafts& drafts) {
  std::vector<TextEdit> edits;
  std::vector<Import> imports;
  std::map<std::size_t, Given> classes;
  for (const Drafted* each : drafts) {
    const Draft& draft = each->draft;
    edits.insert(edits.end(), draft.edits.begin(), draft.edits.end());
    imports.insert(imports.end(), draft.imports.begin(), draft.imports.end());
    if (draft.assignments.empty()) continue;
    Given& given = classes[draft.type.begin()];
    given.draft = &draft;
    given.wanted.insert(draft.assignments.begin(), draft.assignments.end());
  }
  for (const auto& [type, given] : classes) {
    std::vector<std::string> assignments = file.change_at(type).assignments;
    std::erase_if(assignments,
                  [&wanted = given.wanted](const auto& each) { return wanted.count(each) == 0; });
    edits.push_back(assignments_at(given.draft->site, assignments, file.file().text));
  }
  const auto imported = file.import_edits(imports);
  edits.insert(edits.end(), imported.begin(), imported.end());
  end_lines_as(file.file().text, edits);
  sort_edits(edits);
  return edits;
}

/// Nothing where the drafts do not fit together.
std::optional<std::string> text_after(const PythonFile& file, const Drafts& drafts) {
  const std::vector<TextEdit> edits = edits_of(file, drafts);
  if (edits_overlap(edits)) return std::nullopt;
  std::string after = apply_edits(file.file().text, edits);
  if (!PythonTree(after).well_formed()) return std::nullopt;
  return after;
}

} // namespace

std::string fit_together(const PythonFile& file, const Drafts& drafts) {
  const auto some = [&](const std::vector<std::size_t>& chosen) {
    Drafts found;
    for (const std::size_t each : chosen) found.push_back(drafts[each]);
    return found;
  };
  const auto result = keep_valid(drafts.size(), [&](const auto& chosen) {
    const std::optional<std::string> reason = "its edits conflict with those of other findings";
    return text_after(file, some(chosen)) ? std::nullopt : reason;
  });
  for (const Rejected& culprit : result.rejected)
    drafts[culprit.index]->finding->fix->refusal = culprit.reason;
  return text_after(file, some(result.kept)).value_or(file.file().text);
}

std::vector<TextEdit> edits_alone(const Draft& draft) {
  const Drafted alone{nullptr, draft};
  return edits_of(*draft.file, {&alone});
}

} // namespace model_validator::fixes
