#include "lint/result_bytes.h"

#include "files/process/byte_archive.h"
#include "files/process/error_bytes.h"

#include <algorithm>
#include <stdexcept>

namespace model_validator {

template <class Archive> void describe(Archive& archive, SourceLocation& source) {
  archive(source.file, source.line, source.column, source.length);
}
template <class Archive> void describe(Archive& archive, DiagnosticLocation& location) {
  archive(location.source, location.module, location.role, location.code);
}
template <class Archive> void describe(Archive& archive, TextPosition& position) {
  archive(position.line, position.column);
}
template <class Archive> void describe(Archive& archive, Edit& edit) {
  archive(edit.file, edit.start, edit.end, edit.text);
}
template <class Archive> void describe(Archive& archive, SourceCall& call) {
  archive(call.place, call.code, call.class_name, call.attribute, call.number, call.count,
          call.runs, call.obstacle);
}
template <class Archive> void describe(Archive& archive, Rewrite& rewrite) {
  archive(rewrite.kind, rewrite.operation, rewrite.schema, rewrite.attribute, rewrite.class_name,
          rewrite.expression, rewrite.calls, rewrite.scripted, rewrite.operand_made,
          rewrite.operand_read_later);
}
template <class Archive> void describe(Archive& archive, Fix& fix) {
  archive(fix.applicability, fix.description, fix.edits, fix.rewrite, fix.refusal, fix.hazard);
}
template <class Archive> void describe(Archive& archive, OpReference& op) {
  archive(op.name, op.type);
}
template <class Archive> void describe(Archive& archive, Suppression& suppression) {
  archive(suppression.by, suppression.reason);
}
template <class Archive> void describe(Archive& archive, Diagnostic& d) {
  archive(d.rule, d.code, d.severity, d.message, d.module, d.aliases, d.parent, d.op, d.method,
          d.locations, d.help, d.notes, d.fix, d.refused_by, d.contradiction, d.fingerprint,
          d.suppressed, d.excused);
}
template <class Archive> void describe(Archive& archive, CheckResult& check) {
  archive(check.name, check.status, check.findings, check.summaries, check.lacking);
}
template <class Archive> void describe(Archive& archive, OperatorVerdict& verdict) {
  archive(verdict.name, verdict.verdict, verdict.calls, verdict.conditions, verdict.evidence,
          verdict.ops);
}
template <class Archive> void describe(Archive& archive, TargetVerdict& verdict) {
  archive(verdict.target, verdict.verdict, verdict.table, verdict.opset, verdict.package,
          verdict.date, verdict.release, verdict.falls_back, verdict.recorded, verdict.refusals,
          verdict.operators, verdict.islands);
}
template <class Archive> void describe(Archive& archive, ModelDocuments& documents) {
  archive(documents.graph, documents.inspection, documents.sources);
}
template <class Archive> void describe(Archive& archive, InlineIgnore& ignore) {
  archive(ignore.rules, ignore.reason, ignore.where, ignore.mistake, ignore.remedy);
}

namespace {

struct Shipped {
  FileResult result;
  process::ErrorFields error;
};

template <class Archive> void describe(Archive& archive, Shipped& shipped) {
  ModelReport& report = shipped.result.report;
  archive(report.path, report.format, report.status, shipped.error, report.ops, report.checks,
          report.verdicts, report.findings, report.documents, shipped.result.ignores,
          shipped.result.fault, shipped.result.data_files, shipped.result.trace_ended);
}

template <class Enum> bool is_one_of(Enum value, Enum last) {
  return value >= Enum{} && value <= last;
}

bool is_sound(const Diagnostic& finding) {
  if (!is_one_of(finding.severity, Severity::error)) return false;
  if (!finding.fix) return true;
  return is_one_of(finding.fix->applicability, Applicability::unsafe) &&
         (!finding.fix->rewrite ||
          is_one_of(finding.fix->rewrite->kind, Rewrite::Kind::replace_number));
}

bool is_sound(const CheckResult& check) { return is_one_of(check.status, CheckStatus::not_judged); }

bool is_sound(const OperatorVerdict& verdict) {
  return is_one_of(verdict.verdict, Verdict::refused);
}

bool is_sound(const TargetVerdict& verdict);

template <class T> bool are_sound(const std::vector<T>& values) {
  return std::ranges::all_of(values, [](const T& value) { return is_sound(value); });
}

bool is_sound(const TargetVerdict& verdict) {
  return is_one_of(verdict.verdict, Verdict::refused) && are_sound(verdict.operators);
}

bool is_sound(const ModelReport& report) {
  return is_one_of(report.status, ModelStatus::no_model) && are_sound(report.checks) &&
         are_sound(report.verdicts) && are_sound(report.findings);
}

} // namespace

std::string to_bytes(FileResult result) {
  Shipped shipped;
  shipped.error = process::fields_of(result.report.error);
  shipped.result = std::move(result);
  process::ByteWriter writer;
  writer(shipped);
  return writer.bytes();
}

FileResult result_from(std::string_view bytes) {
  Shipped shipped;
  process::ByteReader reader(bytes);
  reader(shipped);
  if (!reader.done()) throw std::runtime_error("there is more than a result");
  if (!is_sound(shipped.result.report))
    throw std::runtime_error("a result holds a value that its type does not have");
  shipped.result.report.error = process::error_of(shipped.error);
  return std::move(shipped.result);
}

std::string fixes_to_bytes(std::vector<Diagnostic> findings) {
  process::ByteWriter writer;
  for (Diagnostic& finding : findings) writer(finding.fix, finding.help);
  return writer.bytes();
}

void take_fixes(std::string_view bytes, std::vector<Diagnostic>& findings) {
  process::ByteReader reader(bytes);
  std::vector<Diagnostic> fixed = findings;
  for (Diagnostic& finding : fixed) reader(finding.fix, finding.help);
  if (!are_sound(fixed))
    throw std::runtime_error("a fix holds a value that its type does not have");
  findings = std::move(fixed);
}

} // namespace model_validator
