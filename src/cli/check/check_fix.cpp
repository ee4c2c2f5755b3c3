#include "cli/check/check_fix.h"

#include "cli/check/fix_sources.h"
#include "lint/finish_report.h"

#include <algorithm>

namespace model_validator::cli {
namespace {

bool is_edited(const Diagnostic& finding, const std::vector<std::string>& left_alone) {
  if (!finding.fix || finding.fix->edits.empty()) return false;
  const auto& edits = finding.fix->edits;
  return std::none_of(edits.begin(), edits.end(), [&](const Edit& edit) {
    return std::find(left_alone.begin(), left_alone.end(), edit.file) != left_alone.end();
  });
}

} // namespace

std::size_t fix_results(std::vector<FileResult>& results, const std::vector<FileTask>& tasks) {
  const std::vector<Diagnostic*> open = findings_to_fix(results);
  fixes::UserFiles files = files_of(tasks);
  const auto left_alone = commit_changes(fixes::plan_fixes(open, files, plan_of({}, tasks)));
  std::size_t fixed = 0;
  for (Diagnostic* finding : open) {
    if (!is_edited(*finding, left_alone)) continue;
    finding->suppressed = Suppression{"fix", "its source has been edited; export the model again"};
    ++fixed;
  }
  for (FileResult& result : results) finish(result.report);
  return fixed;
}

} // namespace model_validator::cli
