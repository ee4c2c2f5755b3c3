#include "lint/file_runner.h"

#include "connected_graph/file_nodes.h"
#include "connected_graph/out_of_memory.h"
#include "introspection/weight_ledger.h"
#include "introspection/weight_ranges.h"
#include "introspection/weight_samples.h"
#include "introspection/weight_scan.h"
#include "lint/finish_report.h"
#include "lint/tool_rules.h"
#include "lint/trace_notes.h"
#include "text/lists.h"

#include <model_validator/data/contains.h>
#include <model_validator/diagnostic.h>
#include <model_validator/error.h>
#include <model_validator/validator.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace model_validator {
namespace {

bool is_refused(const Diagnostic& finding, const TargetVerdict& verdict) {
  return contains(finding.refused_by, every_target) || contains(finding.refused_by, verdict.target);
}

/// @returns the targets that did not refuse the file before
std::vector<std::string> refuse(const Diagnostic& finding, ModelReport& report) {
  std::vector<std::string> refusers;
  for (TargetVerdict& verdict : report.verdicts) {
    if (!is_refused(finding, verdict)) continue;
    if (verdict.refusals.empty()) refusers.push_back("`" + verdict.target + "`");
    verdict.verdict = Verdict::refused;
    const bool nowhere = contains(finding.refused_by, every_target);
    const std::string reason = (nowhere ? "no runtime runs it: " : "") + finding.message;
    if (!contains(verdict.refusals, reason)) verdict.refusals.push_back(reason);
  }
  return refusers;
}

/// Refuses a file for the targets that do not take it because of what was found.
void judge_by_findings(ModelReport& report) {
  for (const Diagnostic& finding : report.findings)
    if (finding.severity == Severity::error) refuse(finding, report);
}

/// The same by findings that are not reported: a verdict rests on all that its runtime would
/// refuse. Where operators that a target refuses are reported, so is what else it refuses the file
/// for.
void judge_by_others(const std::vector<Diagnostic>& others, const Settings& settings,
                     ModelReport& report) {
  const auto found = std::ranges::find_if(settings.enabled, [](const Validator* check) {
    return check->info().name == "unsupported-ops";
  });
  for (const Diagnostic& other : others) {
    if (other.severity != Severity::error) continue;
    const std::vector<std::string> refusers = refuse(other, report);
    if (refusers.empty() || found == settings.enabled.end()) continue;
    const RuleInfo& rule = (*found)->info();
    Diagnostic finding = other;
    finding.rule = rule.name;
    finding.code = rule.code;
    finding.message = "the file is not taken by " + joined(refusers, ", ") + ": " + finding.message;
    finding.fingerprint = fingerprint_of(finding);
    report.findings.push_back(std::move(finding));
  }
}

std::vector<std::string> data_files_of(const ConnectedGraph& graph) {
  std::set<std::string> files;
  if (graph.file_nodes)
    for (const StoredWeights& each : graph.file_nodes->kept_apart)
      if (each.entry.empty()) files.insert(each.file.lexically_normal().string());
  return {files.begin(), files.end()};
}

/// What is wrong where weights that an ONNX file keeps in files of their own are not there, or are
/// cut short. Weights are looked for, not read.
std::optional<Diagnostic> missing_weights(const ConnectedGraph& graph) {
  if (!graph.file_nodes || !graph.file_nodes->weights_fault) return std::nullopt;
  const Error& error = *graph.file_nodes->weights_fault;
  if (error.kind() != ErrorKind::missing_weights && error.kind() != ErrorKind::truncated_file)
    throw error;
  Diagnostics diagnostics(missing_weights_rule);
  Diagnostic finding = diagnostics.start(error.what());
  finding.refused_by = {every_target};
  finding.notes.emplace_back("no runtime loads the model without them");
  diagnostics.add(std::move(finding), error.hint());
  return std::move(diagnostics.findings().front());
}

FileResult read_and_lint(const FileTask& task, ReadOptions options) {
  options.file_operators = options.file_operators && !task.settings->targets.empty();
  options.identity = static_cast<bool>(task.describe); // documents state the hash
  const std::filesystem::path& file = task.file.path;
  if (!task.trace) {
    ConnectedGraph graph = read_graph(file, options);
    graph.origin.path = task.file.name;
    FileResult result = lint_graph(graph, task.settings, file, task.decisions.get());
    if (task.describe) task.describe({file, std::move(graph), {}, options}, result.report);
    return result;
  }
  TracedGraph traced = trace_graph(file, *task.trace, options);
  traced.graph.origin.path = task.file.name;
  FileResult result = lint_graph(traced.graph, task.settings, file);
  add_trace_notes(traced, result.report.findings);
  result.trace_ended = why_ended(traced.graph, traced.trace);
  if (task.describe)
    task.describe({file, std::move(traced.graph), std::move(traced.trace), options}, result.report);
  return result;
}

/// Messages name the file as the user does.
Error about(const NamedFile& file, const Error& error) {
  const bool temporary = file.name == "-";
  return Error(error.kind(), temporary || error.path().empty() ? file.name : error.path(),
               error.what(), error.hint());
}

void override_severities(const Settings& settings, ModelReport& report) {
  for (Diagnostic& finding : report.findings)
    finding.severity = settings.severity_of(finding.rule, finding.severity);
  std::erase_if(report.findings, [](const Diagnostic& d) { return d.severity == Severity::off; });
  finish(report);
}

} // namespace

FileResult failed_result(const FileTask& task, Error error, bool fault) {
  FileResult result;
  result.settings = task.settings;
  result.report.path = task.file.name;
  result.report.status = ModelStatus::error;
  result.report.error = std::move(error);
  result.fault = fault;
  return result;
}

FileResult lint_graph(const ConnectedGraph& graph, std::shared_ptr<const Settings> settings,
                      const std::filesystem::path& file,
                      const std::vector<TracedDecision>* decisions) {
  FileResult result;
  result.settings = std::move(settings);
  Context context = result.settings->context();
  context.scan_weights = [&file] { return scan_weights(file); };
  context.measure_weights = [&file](const std::vector<WeightQuery>& queries, double enough) {
    return measure_weights(file, queries, enough);
  };
  context.sample_weights = sampler_of(graph, file);
  context.ledger = [&graph, &file] {
    return graph.file_nodes ? ledger_of(graph.file_nodes->kept_apart, file) : WeightLedger();
  };
  context.decisions = decisions;
  result.report = lint(graph, result.settings->enabled, context);
  const bool told = result.settings->tool_rules.contains(missing_weights_rule.name);
  std::optional<Diagnostic> missing;
  if (told || !result.report.verdicts.empty()) missing = missing_weights(graph);
  if (missing && told) result.report.findings.push_back(*missing);
  judge_by_findings(result.report);
  if (!result.report.verdicts.empty()) {
    ModelReport others = lint(graph, result.settings->asked_for_verdicts, context);
    if (missing && !told) others.findings.push_back(std::move(*missing));
    judge_by_others(others.findings, *result.settings, result.report);
  }
  result.ignores = inline_ignores(graph);
  result.data_files = data_files_of(graph);
  override_severities(*result.settings, result.report);
  return result;
}

FileResult lint_file(const FileTask& task, const ReadOptions& options) {
  const NamedFile& file = task.file;
  if (file.error) return failed_result(task, *file.error, false);
  try {
    return read_and_lint(task, options);
  } catch (const Error& error) {
    return failed_result(task, about(file, error), false);
  } catch (const std::bad_alloc&) {
    return failed_result(
        task, out_of_memory(file.name, "the model needs more memory than there is"), false);
  } catch (const std::exception& error) {
    return failed_result(task,
                         Error(ErrorKind::internal_error, file.name, error.what(),
                               "this is a fault in model_validator: please report it"),
                         true);
  }
}

} // namespace model_validator
