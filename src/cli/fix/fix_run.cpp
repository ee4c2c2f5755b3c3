#include "cli/fix/fix_run.h"

#include "cli/check/check_run.h"
#include "cli/console/exit_status.h"
#include "cli/console/interrupt.h"
#include "cli/console/output.h"
#include "cli/fix/fix_findings.h"
#include "cli/fix/fix_rebuild.h"
#include "cli/fix/fix_report.h"
#include "cli/fix/fix_sources.h"
#include "fixes/known_source.h"
#include "fixes/plan.h"
#include "fixes/python/unified_diff.h"
#include "text/escape.h"
#include "text/lists.h"

#include <algorithm>
#include <iostream>
#include <set>

namespace model_validator::cli {
namespace {

namespace fs = std::filesystem;

/// Tests of the project are the second half of a proof.
void offer_tests(std::ostream& out) {
  std::error_code error;
  for (const char* each : {"tests", "test", "conftest.py", "pytest.ini"})
    if (fs::exists(each, error)) {
      out << "note: this project has tests: `--prove-with 'pytest -q'` has them pass with the "
             "edits, too\n";
      return;
    }
}

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

std::string name_of(const Validator* check) { return std::string(check->info().name); }

/// Most that can be fixed is what quantisers ask for, which a preset may have turned off.
void write_nothing_found(const std::vector<FileTask>& tasks) {
  std::set<std::string> off;
  for (const FileTask& task : tasks)
    for (const std::string& rule : task.settings->left_to_preset)
      if (std::ranges::find(task.settings->enabled, rule, name_of) == task.settings->enabled.end())
        off.insert('`' + rule + '`');
  std::cerr << "note: no finding to fix";
  if (!off.empty())
    std::cerr << "; the preset `deploy` turns off " << list_in_words({off.begin(), off.end()})
              << ", which only quantisers ask for: `--preset quantise` looks for them";
  std::cerr << '\n';
}

void write_notes(const std::vector<FileTask>& tasks, const std::vector<Diagnostic*>& findings,
                 const fixes::KnownSource& source, bool changed) {
  if (findings.empty()) write_nothing_found(tasks);
  write_left(std::cerr, findings);
  write_waiting(std::cerr, waiting_of(findings, source));
  if (changed) write_pickle_note(std::cerr);
}

int propose(const FixOptions& options) {
  const Registry registry = Registry::builtin();
  const InterruptWatch interrupt(InterruptWatch::Afterwards::ends);
  const auto tasks = tasks_of(options.check, registry);
  auto results = find_all(tasks, options.check, interrupt.token());
  const auto findings = findings_to_fix(results);
  fixes::UserFiles files = files_of(tasks);
  fixes::KnownSource source(files);
  const auto changes =
      fixes::plan_fixes(findings, source, {package_of_modules(options.modules, tasks)});
  Output output(options.check.output_file);
  if (options.format == "json")
    write_fixes_json(output.stream(), findings, source);
  else
    write_patch(output.stream(), changes, files);
  output.finish();
  // The diff is for `git apply`, so what is left is said beside it.
  if (options.format != "json") write_notes(tasks, findings, source, !changes.empty());
  if (options.write) {
    write_looks(std::cerr,
                changes.empty() ? std::vector<fixes::Mention>() : source.looks_at_modules());
    commit_changes(changes);
    std::cerr
        << "note: these edits are not proved: nothing was exported, run or compared, and code "
           "that names what they touch was not asked; `model_validator verify OLD NEW` "
           "compares the models\n";
  }
  return changes.empty() ? clean : model_validator::cli::findings;
}

FileTask only_task(const FixOptions& options, const Registry& registry) {
  auto tasks = tasks_of(options.check, registry);
  if (tasks.size() != 1)
    throw Error(ErrorKind::usage, "", "`--write` exports one model, but several are named",
                "run the command once for each");
  if (tasks.front().file.error) throw *tasks.front().file.error;
  return std::move(tasks.front());
}

/// As given, or else as they were when a model's edits were last proved.
KnownCommands commands_for(const FixOptions& options, const FileTask& task) {
  KnownCommands commands = known_commands(task.file.path);
  if (!options.commands.rebuild.empty()) commands = options.commands;
  if (!options.commands.tests.empty()) commands.tests = options.commands.tests;
  if (commands.rebuild.empty())
    throw Error(
        ErrorKind::usage, "",
        "`--write` writes what an export proves, and how this model is exported is not known",
        "name the command, once: `--rebuild 'python export.py {output}'`; `--unproven` "
        "writes the edits without a proof");
  return commands;
}

RebuildOptions rebuild_options(const FixOptions& options, const FileTask& task,
                               const std::stop_token& stop) {
  RebuildOptions rebuild;
  const auto timeout = options.check.reading.policy().timeout;
  const KnownCommands commands = commands_for(options, task);
  rebuild.command = {commands.rebuild, commands.tests, timeout};
  rebuild.proof = {options.inputs.complete(), to_string(task.settings->sandbox), timeout,
                   options.check.operator_libraries, stop};
  using Edits = fixes::PlanOptions::Edits;
  rebuild.plan.modules = package_of_modules(options.modules, {task});
  rebuild.plan.edits = options.write_mentioned ? Edits::provable : Edits::unmentioned;
  return rebuild;
}

int prove_and_write(const FixOptions& options) {
  const Registry registry = Registry::builtin();
  const FileTask task = only_task(options, registry);
  fixes::UserFiles files(task.settings->roots());
  return run_until_interrupted([&](const std::stop_token& stop) {
    const RebuildOptions how = rebuild_options(options, task, stop);
    const auto report = rebuild(task, options.check, files, how);
    if (report.exports > 0) remember(task.file.path, {how.command.line, how.command.tests});
    const bool is_text = options.format != "json";
    Output output(options.check.output_file);
    (is_text ? write_rebuild_text : write_rebuild_json)(output.stream(), report);
    output.finish();
    if (is_text) {
      if (report.before.empty()) write_nothing_found({task});
      if (report.kept > 0) write_pickle_note(std::cerr);
    }
    if (how.command.tests.empty() && report.exports > 0) offer_tests(std::cerr);
    return report.not_kept.empty() ? clean : findings;
  });
}

} // namespace

int run_fix(const FixOptions& options) {
  return options.write && !options.unproven ? prove_and_write(options) : propose(options);
}

} // namespace model_validator::cli
