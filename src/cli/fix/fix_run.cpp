#include "cli/fix/fix_run.h"

#include "cli/check/check_run.h"
#include "cli/check/fix_sources.h"
#include "cli/console/exit_status.h"
#include "cli/console/interrupt.h"
#include "cli/console/output.h"
#include "cli/fix/fix_findings.h"
#include "cli/fix/fix_rebuild.h"
#include "cli/fix/fix_report.h"
#include "fixes/plan.h"
#include "fixes/python/unified_diff.h"
#include "text/escape.h"

#include <iostream>
#include <set>

namespace model_validator::cli {
namespace {

namespace fs = std::filesystem;

/// As `git apply` and `patch -p1` expect them in the folders that the files lie in.
void write_patch(std::ostream& out, const std::vector<fixes::FileChange>& changes,
                 const fixes::UserFiles& files) {
  std::set<fs::path> elsewhere;
  for (const fixes::FileChange& change : changes) {
    const fs::path folder = files.folder_of(change.path);
    const std::string name =
        folder.empty() ? change.path : fs::path(change.path).lexically_relative(folder).string();
    out << fixes::unified_diff(name, change.before, change.after, change.is_new);
    if (!folder.empty() && folder != fs::current_path()) elsewhere.insert(folder);
  }
  for (const fs::path& folder : elsewhere)
    std::cerr << "note: apply the patch in `" << escape(folder.string()) << "`\n";
}

int fix_once(const FixOptions& options) {
  const Registry registry = Registry::builtin();
  const InterruptWatch interrupt(InterruptWatch::Afterwards::ends);
  const auto tasks = tasks_of(options.check, registry);
  auto results = find_all(tasks, options.check, interrupt.token());
  const auto findings = findings_to_fix(results);
  fixes::UserFiles files = files_of(tasks);
  const auto changes = fixes::plan_fixes(findings, files, plan_of(options.source, tasks));
  Output output(options.check.output_file);
  if (options.format == "json")
    write_fixes_json(output.stream(), findings);
  else
    write_patch(output.stream(), changes, files);
  output.finish();
  // The diff is for `git apply`, so what is left is said beside it.
  if (options.format != "json") {
    if (findings.empty()) std::cerr << "note: no finding to fix\n";
    write_left(std::cerr, findings);
    write_waiting(std::cerr, findings);
    if (!changes.empty()) write_pickle_note(std::cerr);
  }
  if (options.write) commit_changes(changes);
  return changes.empty() ? clean : model_validator::cli::findings;
}

RebuildOptions rebuild_options(const FixOptions& options, const FileTask& task,
                               const std::stop_token& stop) {
  RebuildOptions rebuild;
  const auto timeout = options.check.reading.policy().timeout;
  rebuild.command = {options.rebuild, options.prove_with, timeout};
  rebuild.proof = {options.inputs.complete(), to_string(task.settings->sandbox), timeout,
                   options.check.operator_libraries, stop};
  rebuild.plan = plan_of(options.source, {task});
  if (!options.source.unsafe) rebuild.plan.edits = fixes::PlanOptions::Edits::tried;
  return rebuild;
}

FileTask only_task(const FixOptions& options, const Registry& registry) {
  auto tasks = tasks_of(options.check, registry);
  if (tasks.size() != 1)
    throw Error(ErrorKind::usage, "", "`--rebuild` exports one model, but several are named",
                "run the command once for each");
  if (tasks.front().file.error) throw *tasks.front().file.error;
  return std::move(tasks.front());
}

int fix_and_rebuild(const FixOptions& options) {
  const Registry registry = Registry::builtin();
  const FileTask task = only_task(options, registry);
  fixes::UserFiles files(task.settings->roots());
  const InterruptWatch interrupt;
  try {
    const auto report =
        rebuild(task, options.check, files, rebuild_options(options, task, interrupt.token()));
    Output output(options.check.output_file);
    (options.format == "json" ? write_rebuild_json : write_rebuild_text)(output.stream(), report);
    output.finish();
    if (report.kept > 0 && options.format != "json") write_pickle_note(std::cerr);
    return report.not_kept.empty() ? clean : findings;
  } catch (const Error&) {
    if (interrupt.interrupted()) return interrupt.status();
    throw;
  }
}

} // namespace

int run_fix(const FixOptions& options) {
  return options.rebuild.empty() ? fix_once(options) : fix_and_rebuild(options);
}

} // namespace model_validator::cli
