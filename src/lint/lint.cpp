#include "lint/finish_report.h"
#include "lint/lacking.h"
#include "lint/node_names.h"
#include "lint/source_lines.h"
#include "lint/tool_rules.h"
#include "rules/judging/judge.h"
#include "rules/judging/verdicts.h"
#include "rules/presets.h"

#include <model_validator/lint.h>

#include <algorithm>
#include <deque>
#include <exception>

namespace model_validator {
namespace {

Diagnostic internal_error(const RuleInfo& check, const std::string& cause) {
  Diagnostic diagnostic =
      Diagnostics(internal_error_rule)
          .start("the check `" + std::string(check.name) + "` stopped: " + cause);
  diagnostic.method = check.name;
  diagnostic.help = "this is a fault in model_validator, not in the model: please report it; "
                    "`--ignore " +
                    std::string(check.name) + "` skips the check";
  return diagnostic;
}

/// An exception from a check is our fault; its findings up to then are kept.
std::optional<std::string> cause_of_crash(const Validator& check, const ConnectedGraph& graph,
                                          const Context& context, Diagnostics& diagnostics) {
  try {
    check.run(graph, context, diagnostics);
    return std::nullopt;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception of unknown type";
  }
}

CheckResult run_check(const Validator& check, const ConnectedGraph& graph, const Context& context,
                      Diagnostics& diagnostics) {
  const RuleInfo& rule = check.info();
  const auto crash = cause_of_crash(check, graph, context, diagnostics);
  CheckResult result;
  result.name = rule.name;
  result.summaries = diagnostics.summaries();
  result.lacking = what_lacks(rule.needs, graph.origin, context);
  if (crash) {
    result.status = CheckStatus::crashed;
    diagnostics.add(internal_error(rule, *crash));
  }
  return result;
}

bool is_asked_by_quantisers(const Validator* check) {
  return is_for_quantisers(check->info().name);
}

/// Of a check whose findings nobody can act on any more.
CheckResult too_late(const Validator& check) {
  CheckResult result;
  result.name = check.info().name;
  result.lacking = "the model has been quantised, and only quantisers ask for that";
  return result;
}

/// `nn.Sequential` and its like call what the user gave them: a line of theirs is nobody's code.
void leave_out_containers(Diagnostic& finding) {
  std::erase_if(finding.locations, [](const DiagnosticLocation& location) {
    return location.source.file.ends_with("torch/nn/modules/container.py");
  });
}

/// The text of the line that a location points at, as the model carries it.
void add_carried_lines(const ConnectedGraph& graph, Diagnostic& finding) {
  for (DiagnosticLocation& location : finding.locations) {
    const SourceLocation& source = location.source;
    if (!location.code.empty() || !source.known()) continue;
    if (const std::string* line = graph.source_line(source.file, source.line))
      location.code = *line;
  }
}

/// Targets by the table that they have for the format of the graph.
Context with_tables_for(const ConnectedGraph& graph, Context context) {
  for (const TargetProfile*& target : context.targets) target = &rules::table_for(*target, graph);
  return context;
}

} // namespace

const char* to_string(CheckStatus status) {
  switch (status) {
  case CheckStatus::passed: return "passed";
  case CheckStatus::failed: return "failed";
  case CheckStatus::crashed: return "crashed";
  case CheckStatus::not_judged: return "not-judged";
  }
  return "unknown";
}

const char* to_string(ModelStatus status) {
  switch (status) {
  case ModelStatus::passed: return "passed";
  case ModelStatus::failed: return "failed";
  case ModelStatus::error: return "error";
  case ModelStatus::no_model: return "no-model";
  }
  return "unknown";
}

ModelReport lint(const ConnectedGraph& graph, const std::vector<const Validator*>& enabled,
                 const Context& settings) {
  const Context context = with_tables_for(graph, settings);
  ModelReport report;
  report.path = graph.origin.path;
  report.format = graph.origin.format;
  report.ops = graph.op_count();
  std::deque<Diagnostics> found;
  std::vector<Diagnostic*> findings;
  const bool comes_late =
      std::ranges::any_of(enabled, is_asked_by_quantisers) && has_been_quantised(graph);
  for (const Validator* check : enabled) {
    if (comes_late && is_asked_by_quantisers(check)) {
      report.checks.push_back(too_late(*check));
      continue;
    }
    Diagnostics& diagnostics = found.emplace_back(check->info());
    report.checks.push_back(run_check(*check, graph, context, diagnostics));
    for (Diagnostic& finding : diagnostics.findings()) {
      leave_out_containers(finding);
      add_carried_lines(graph, finding);
      findings.push_back(&finding);
    }
  }
  for (const TargetProfile* target : context.targets)
    if (!target->quantiser && !target->half) // which has no operators to judge by
      report.verdicts.push_back(rules::verdict_on(*target, graph));
  report.findings = in_order(findings);
  add_lines_at_hand(report.findings);
  name_nodes(graph, report.findings);
  judge(report);
  return report;
}

} // namespace model_validator
