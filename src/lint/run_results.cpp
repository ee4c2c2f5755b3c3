#include "lint/run_results.h"

#include "lint/excused.h"
#include "lint/finish_report.h"

#include <model_validator/validator.h>

#include <filesystem>
#include <set>

namespace model_validator {
namespace {

bool reaches(const Diagnostic& finding, Severity fail_on) {
  return fail_on != Severity::off && finding.severity >= fail_on && !finding.suppressed &&
         !finding.excused;
}

Outcome outcome_of(const FileResult& result) {
  const ModelReport& report = result.report;
  const bool crashed = result.fault || std::ranges::any_of(report.checks, [](const auto& c) {
                         return c.status == CheckStatus::crashed;
                       });
  if (crashed) return Outcome::fault;
  if (report.status == ModelStatus::no_model) return Outcome::clean;
  if (report.error) return Outcome::unreadable;
  const Severity fail_on = result.settings->fail_on;
  const bool failed = std::ranges::any_of(
      report.findings, [&](const auto& finding) { return reaches(finding, fail_on); });
  return failed ? Outcome::findings : Outcome::clean;
}

} // namespace

void SharedData::note(FileResult& result) {
  if (result.data_files.empty()) return;
  ModelReport& report = result.report;
  const auto check = std::ranges::find_if(result.settings->enabled, [](const Validator* each) {
    return each->info().name == "stored-bytes";
  });
  if (check == result.settings->enabled.end()) return;
  Diagnostics diagnostics((*check)->info());
  for (const std::string& file : result.data_files) {
    const auto [first, is_new] = first_models_.try_emplace(file, report.path);
    if (is_new || first->second == report.path) continue;
    Diagnostic finding = diagnostics.start("`" + std::filesystem::path(file).filename().string() +
                                           "` holds weights of `" + first->second + "` too");
    finding.severity = Severity::info;
    diagnostics.add(std::move(finding),
                    "if they are meant to share weights, nothing; else save each model into a "
                    "folder of its own, as the one saved last has overwritten the other's data");
  }
  if (diagnostics.findings().empty()) return;
  for (Diagnostic& finding : diagnostics.findings()) report.findings.push_back(std::move(finding));
  finish(report);
}

RunResults::RunResults(const std::vector<FileTask>& tasks, bool writing)
    : suppressions_(today()), baselines_(writing) {
  for (const FileTask& task : tasks) {
    suppressions_.expect(task.file.name, *task.settings);
    baselines_.expect(*task.settings);
  }
}

void RunResults::add(FileResult& result) {
  hide(result);
  count(result);
}

void RunResults::hide(FileResult& result) {
  shared_.note(result);
  pass_over(result);
  excuse_installed(*result.settings, result.report);
  suppressions_.apply(*result.settings, result.ignores, result.report);
  result.untold = suppressions_.take_untold();
  baselines_.apply(*result.settings, result.report);
}

void RunResults::count(const FileResult& result) {
  outcome_ = std::max(outcome_, outcome_of(result));
  any_model_ = any_model_ || result.report.status != ModelStatus::no_model;
}

LogEntries log_of_settings(const std::vector<FileTask>& tasks) {
  std::set<std::filesystem::path> taken;
  std::set<std::string> passed_over;
  std::set<std::string> missing;
  std::error_code failed;
  for (const FileTask& task : tasks) {
    for (const auto& [was, is] : task.settings->source_roots)
      if (!std::filesystem::is_directory(is, failed)) missing.insert(is.string());
    if (!task.settings->config_file.empty()) taken.insert(task.settings->config_file);
    passed_over.insert(task.settings->passed_over.begin(), task.settings->passed_over.end());
  }
  LogEntries entries;
  for (const auto& file : taken)
    entries.push_back({LogLevel::info, "settings are taken from " + file.string()});
  // As an error, which is shown for many models as well: settings that are missed change the
  // result.
  for (const std::string& sentence : passed_over) entries.push_back({LogLevel::error, sentence});
  for (const std::string& folder : missing)
    entries.push_back({LogLevel::warning, "`source-root`: there is no folder `" + folder + "`"});
  return entries;
}

LogEntries log_of_patterns(const std::vector<FileTask>& tasks) {
  std::set<const Settings*> asked;
  std::vector<FilePattern> patterns;
  std::vector<std::filesystem::path> files;
  for (const FileTask& task : tasks) {
    files.emplace_back(task.file.name);
    if (!asked.insert(task.settings.get()).second) continue;
    const auto& more = task.settings->patterns;
    patterns.insert(patterns.end(), more.begin(), more.end());
  }
  return log_of_patterns(patterns, files);
}

LogEntries log_of(const FileResult& result) {
  LogEntries entries;
  for (const std::string& line : result.printed)
    entries.push_back({LogLevel::info, "the model printed: " + line});
  for (const std::string& sentence : result.untold)
    entries.push_back({LogLevel::warning, sentence});
  if (!result.trace_ended.empty()) entries.push_back({LogLevel::warning, result.trace_ended});
  return entries;
}

} // namespace model_validator
