#include "requests/checked_file.h"

#include "files/moved_sources.h"
#include "files/process/byte_archive.h"
#include "files/process/sandbox.h"
#include "files/process/worker_process.h"
#include "fixes/report_edits.h"
#include "lint/result_bytes.h"
#include "rules/presets.h"
#include "text/plural.h"

#include <model_validator/diagnostic.h>
#include <model_validator/error.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

namespace model_validator {
namespace {

using process::WorkerResult;
using FindingsOfModels = std::vector<std::vector<Diagnostic>*>;

constexpr std::uint64_t max_memory = std::uint64_t{1} << 30;
constexpr std::chrono::seconds longest_time{20};

bool is_editable(const Diagnostic& finding) {
  return !finding.suppressed && finding.fix && finding.fix->rewrite;
}

process::Confinement confinement(process::SandboxMode sandbox,
                                 const std::vector<SourceRoot>& roots) {
  std::error_code failed;
  process::Confinement confinement{sandbox, {}, {}};
  confinement.permissions.readable = {std::filesystem::current_path(failed)};
  for (const auto& [was, is] : roots)
    confinement.permissions.readable.push_back(std::filesystem::absolute(is, failed));
  confinement.limits.memory = max_memory;
  confinement.limits.processor_time = longest_time;
  return confinement;
}

/// @returns whether the findings got the edits
bool add(const FindingsOfModels& models, process::SandboxMode sandbox,
         const std::vector<SourceRoot>& roots) {
  try {
    const auto work = [&] {
      fixes::add_edits(models, roots);
      process::ByteWriter writer;
      for (std::vector<Diagnostic>* findings : models) {
        std::string fixes = fixes_to_bytes(std::move(*findings));
        writer(fixes);
      }
      return writer.bytes();
    };
    const WorkerResult result = process::WorkerProcess(work, confinement(sandbox, roots)).wait();
    if (result.ending != WorkerResult::Ending::done) return false;
    process::ByteReader reader(result.bytes);
    std::vector<std::string> fixes(models.size());
    for (std::string& each : fixes) reader(each);
    for (std::size_t i = 0; i < models.size(); ++i) take_fixes(fixes[i], *models[i]);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

/// Adds the edits of fixes to the findings of models, as `fixes::add_edits` does, in a confined
/// process that reads the Python files: like the models, they are nobody's. Where that process
/// fails for a model, its findings say so, and have no edits.
///
/// Must be called while no other thread of the program holds locks.
/// @param roots  where source was when the models were exported, and where it is
void add_edits_confined(const FindingsOfModels& models, process::SandboxMode sandbox,
                        const std::vector<SourceRoot>& roots) {
  FindingsOfModels editable;
  for (std::vector<Diagnostic>* findings : models)
    if (std::ranges::any_of(*findings, is_editable)) editable.push_back(findings);
  if (editable.empty() || add(editable, sandbox, roots)) return;
  for (std::vector<Diagnostic>* findings : editable) {
    if (editable.size() > 1 && add({findings}, sandbox, roots)) continue;
    for (Diagnostic& finding : *findings)
      if (is_editable(finding))
        finding.fix->refusal = "its source cannot be edited within the limits";
  }
}

} // namespace

void add_edits(const std::vector<FileResult*>& results, Reader reader) {
  std::map<std::pair<process::SandboxMode, std::vector<SourceRoot>>,
           std::vector<std::vector<Diagnostic>*>>
      alike;
  for (FileResult* result : results)
    alike[{result->settings->sandbox, result->settings->roots()}].push_back(
        &result->report.findings);
  for (const auto& [source, models] : alike)
    if (reader == Reader::confined)
      add_edits_confined(models, source.first, source.second);
    else
      fixes::add_edits(models, source.second);
}

void count(const FileResult& result, RunSummary& summary) {
  summary.add(result.report);
  const Settings& settings = *result.settings;
  summary.for_quantisers += static_cast<std::size_t>(
      std::ranges::count_if(result.report.findings, [&](const Diagnostic& finding) {
        return !finding.suppressed && !finding.excused &&
               settings.left_to_preset.contains(finding.rule);
      }));
  if (settings.preset == standard_preset) return;
  summary.preset = settings.preset + (settings.preset_by_targets ? ", as no target quantises" : "");
  if (settings.targets.empty() && !result.report.error) ++summary.without_target;
}

void tell_default(const std::vector<FileTask>& tasks, Style& style) {
  const auto judged = static_cast<std::size_t>(
      std::ranges::count_if(tasks, [](const FileTask& task) { return task.settings->by_default; }));
  if (judged == 0) return;
  const std::string some = std::to_string(judged) + " of " + plural(tasks.size(), "file") + " ";
  style.notice = (judged == tasks.size() ? "" : some) +
                 "judged for quantising; `model_validator init` or `--target` chooses otherwise";
  style.grouped_rules = rules_for_quantisers();
}

} // namespace model_validator
