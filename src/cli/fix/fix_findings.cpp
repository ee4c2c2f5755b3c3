#include "cli/fix/fix_findings.h"

#include "lint/lint_files.h"
#include "lint/suppressions.h"

namespace model_validator::cli {

std::vector<FileResult> find_all(const std::vector<FileTask>& tasks, const CheckOptions& options,
                                 const std::stop_token& stop) {
  std::vector<FileResult> results;
  Suppressions suppressions(today());
  for (const FileTask& task : tasks) suppressions.expect(task.file.name, *task.settings);
  lint_files(tasks, options.read_options(), {options.reading.policy(), options.jobs}, stop,
             [&](FileResult result) {
               if (result.report.error) throw *result.report.error;
               suppressions.apply(*result.settings, result.ignores, result.report);
               results.push_back(std::move(result));
             });
  if (results.size() < tasks.size())
    throw Error(ErrorKind::interrupted, "", "the run was interrupted");
  return results;
}

std::vector<Diagnostic> open_findings(FileResult result) {
  std::erase_if(result.report.findings,
                [](const Diagnostic& finding) { return finding.suppressed.has_value(); });
  return std::move(result.report.findings);
}

} // namespace model_validator::cli
