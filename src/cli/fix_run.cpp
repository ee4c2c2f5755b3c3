#include "cli/fix_run.h"

#include "cli/check_run.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "fixes/plan.h"
#include "fixes/unified_diff.h"
#include "fixes/user_files.h"
#include "lint/lint_files.h"
#include "lint/suppressions.h"
#include "report/atomic_file.h"
#include "text/plural.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <map>

namespace model_validator::cli {
namespace {

namespace fs = std::filesystem;

std::vector<fixes::SourceRoot> roots_of(const std::vector<std::string>& texts) {
  std::vector<fixes::SourceRoot> roots;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      throw Error("usage", "", "`--source-root " + text + "` does not say what has moved where",
                  "write `--source-root OLD=NEW`");
    roots.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return roots;
}

/// What is found in all models, but for what is suppressed.
std::vector<FileResult> lint_all(const FixOptions& options) {
  const InterruptWatch interrupt(InterruptWatch::Afterwards::ends);
  std::vector<FileResult> results;
  Suppressions suppressions(today());
  const Registry registry = Registry::builtin();
  const auto tasks = tasks_of(options.check, registry);
  for (const FileTask& task : tasks) suppressions.expect(task.file.name, *task.settings);
  lint_files(tasks, options.check.read_options(), {options.check.reading.policy(), 0},
             interrupt.token(), [&](FileResult result) {
               if (result.report.error) throw *result.report.error;
               suppressions.apply(*result.settings, result.ignores, result.report);
               results.push_back(std::move(result));
             });
  return results;
}

std::vector<Diagnostic*> findings_of(std::vector<FileResult>& results) {
  std::vector<Diagnostic*> findings;
  for (FileResult& result : results)
    for (Diagnostic& finding : result.report.findings)
      if (!finding.suppressed) findings.push_back(&finding);
  return findings;
}

/// As `git apply` and `patch` are given it in the working folder.
std::string name_in_diff(const std::string& path) {
  const fs::path relative = fs::path(path).lexically_relative(fs::current_path());
  return relative.empty() || *relative.begin() == ".." ? path : relative.string();
}

/// @returns whether the file was as it was when the edits were made
bool write(const fixes::FileChange& change, fixes::SourceFiles& files) {
  const auto now = files.read(change.path);
  if (now.has_value() == change.is_new || now.value_or(std::string()) != change.before)
    return false;
  AtomicFile file(change.path);
  file.stream() << change.after;
  file.commit();
  return true;
}

void write_all(const std::vector<fixes::FileChange>& changes, fixes::SourceFiles& files) {
  for (const fixes::FileChange& change : changes)
    if (!write(change, files))
      print_warning("`" + change.path + "` has changed meanwhile, and is left as it is",
                    "run the command again");
}

nlohmann::ordered_json to_json(const Diagnostic& finding) {
  nlohmann::ordered_json json{{"rule", finding.rule}, {"module", finding.module}};
  json["op"] = finding.op ? nlohmann::ordered_json(finding.op->type) : nlohmann::ordered_json();
  if (!finding.locations.empty()) {
    json["file"] = finding.locations.front().source.file;
    json["line"] = finding.locations.front().source.line;
  }
  json["refusal"] = finding.fix->refusal;
  json["help"] = finding.help;
  return json;
}

} // namespace

int run_fix(const FixOptions& options) {
  auto results = lint_all(options);
  const auto findings = findings_of(results);
  fixes::UserFiles files(roots_of(options.roots));
  fixes::PlanOptions plan;
  plan.modules = options.modules;
  const auto changes = fixes::plan_fixes(findings, files, plan);
  Output output(options.check.output_file);
  if (options.format == "json") {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Diagnostic* finding : findings)
      if (finding->fix) json.push_back(to_json(*finding));
    output.stream() << json.dump(1) << '\n';
  } else {
    for (const fixes::FileChange& change : changes)
      output.stream() << fixes::unified_diff(name_in_diff(change.path), change.before, change.after,
                                             change.is_new);
  }
  output.finish();
  if (options.write) write_all(changes, files);
  return changes.empty() ? clean : model_validator::cli::findings;
}

} // namespace model_validator::cli
