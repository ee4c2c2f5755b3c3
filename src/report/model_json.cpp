#include "report/model_json.h"

#include "report/target_sentence.h"

namespace model_validator {
namespace {

Json number_or_null(int number) { return number > 0 ? Json(number) : Json(); }

Json to_json(const SourceLocation& source) {
  return {{"file", text_or_null(source.file)},
          {"line", number_or_null(source.line)},
          {"column", source.known() ? Json(source.column) : Json()}};
}

Json to_json(const DiagnosticLocation& location) {
  Json json = to_json(location.source);
  json["module"] = location.module;
  json["role"] = location.role;
  return json;
}

Json to_json(const TextPosition& position) {
  return {{"line", position.line}, {"column", position.column}};
}

Json to_json(const Fix& fix) {
  Json edits = json_array(fix.edits, [](const Edit& edit) {
    return Json{{"file", edit.file},
                {"start", to_json(edit.start)},
                {"end", to_json(edit.end)},
                {"text", edit.text}};
  });
  Json json{{"applicability", fix.applicability == Applicability::safe ? "safe" : "unsafe"},
            {"description", fix.description},
            {"edits", std::move(edits)},
            {"refusal", text_or_null(fix.refusal)}};
  if (!fix.hazard.empty()) json["hazard"] = fix.hazard;
  return json;
}

Json to_json(const Error& error) {
  return {{"kind", to_string(error.kind())},
          {"message", error.what()},
          {"hint", text_or_null(error.hint())}};
}

Json to_json(const CheckResult& check) {
  Json json{
      {"name", check.name}, {"status", to_string(check.status)}, {"findings", check.findings}};
  if (check.status == CheckStatus::not_judged) json["reason"] = check.lacking;
  return json;
}

Json to_json(const OperatorVerdict& verdict) {
  Json json = {{"operator", verdict.name},
               {"verdict", to_string(verdict.verdict)},
               {"calls", verdict.calls},
               {"conditions", verdict.conditions},
               {"evidence", verdict.evidence}};
  if (verdict.verdict != Verdict::taken) json["ops"] = verdict.ops;
  return json;
}

Json to_json(const AskedHere& asked) {
  return {{"target", asked.target}, {"runtime", asked.runtime},
          {"answer", asked.answer}, {"message", asked.message},
          {"nodes", asked.nodes},   {"disagreements", asked.disagreements}};
}

Json to_json(const TargetVerdict& verdict) {
  Json json{{"target", verdict.target},
            {"verdict", to_string(verdict.verdict)},
            {"summary", sentence(verdict)},
            {"ops", to_json(count_calls(verdict))},
            {"rests_on",
             {{"table", verdict.table}, {"package", verdict.package}, {"date", verdict.date}}},
            {"release", text_or_null(verdict.release)},
            {"falls_back", verdict.falls_back},
            {"judged", verdict.recorded ? "recorded" : "file"},
            {"refusals", verdict.refusals},
            {"operators", json_array(verdict.operators,
                                     [](const OperatorVerdict& each) { return to_json(each); })}};
  if (!verdict.islands.empty()) json["islands"] = verdict.islands;
  return json;
}

template <class T> Json array_of(const std::vector<T>& items) {
  return json_array(items, [](const T& item) { return to_json(item); });
}

} // namespace

Json to_json(const Diagnostic& finding, const CodeOwners& owners) {
  Json json = {{"rule", finding.rule},
               {"code", finding.code},
               {"severity", to_string(finding.severity)},
               {"message", finding.message},
               {"module", finding.module},
               {"aliases", finding.aliases},
               {"parent", finding.parent}};
  json["op"] = finding.op ? Json{{"name", finding.op->name}, {"type", finding.op->type}} : Json();
  json["locations"] = array_of(finding.locations);
  json["package"] = text_or_null(owners.package_of(finding));
  json["help"] = text_or_null(finding.help);
  json["notes"] = finding.notes;
  json["fix"] = finding.fix ? to_json(*finding.fix) : Json();
  json["contradiction"] = text_or_null(finding.contradiction);
  json["fingerprint"] = finding.fingerprint;
  json["suppressed"] = finding.suppressed ? Json{{"by", finding.suppressed->by},
                                                 {"reason", finding.suppressed->reason}}
                                          : Json();
  json["excused"] = finding.excused ? Json("installed-code") : Json();
  return json;
}

Json to_json(const ModelReport& report) {
  Json json = {
      {"path", report.path},
      {"format", report.format == FileFormat::unknown ? Json() : Json(to_string(report.format))},
      {"status", to_string(report.status)},
      {"error", report.error ? to_json(*report.error) : Json()},
      {"ops", report.ops},
      {"checks", array_of(report.checks)}};
  if (!report.verdicts.empty()) json["verdicts"] = array_of(report.verdicts);
  if (!report.asked.empty()) json["asked"] = array_of(report.asked);
  const CodeOwners owners(report.findings);
  json["findings"] = json_array(
      report.findings, [&](const Diagnostic& finding) { return to_json(finding, owners); });
  return json;
}

Json to_json(const RunSummary& summary) {
  return {{"models", summary.models},
          {"errors", summary.errors},
          {"warnings", summary.warnings},
          {"suppressed", summary.suppressed},
          {"infos", summary.infos},
          {"fixable", summary.fixable},
          {"fixable_with_proof", summary.fixable_with_proof},
          {"unreadable", summary.unreadable},
          {"skipped", summary.skipped},
          {"excused", summary.excused},
          {"not_judged", summary.not_judged_checks},
          {"no_model", summary.no_model}};
}

Json to_json(const VerdictCounts& ops) {
  return {{"taken", ops.taken},
          {"taken in part", ops.partly},
          {"unknown", ops.unknown},
          {"wrong", ops.wrong},
          {"refused", ops.refused}};
}

} // namespace model_validator
