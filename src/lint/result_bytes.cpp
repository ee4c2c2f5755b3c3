#include "lint/result_bytes.h"

#include "files/process/byte_archive.h"
#include "files/process/error_bytes.h"

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
  archive(fix.applicability, fix.description, fix.edits, fix.rewrite, fix.refusal);
}
template <class Archive> void describe(Archive& archive, OpReference& op) {
  archive(op.name, op.type);
}
template <class Archive> void describe(Archive& archive, Suppression& suppression) {
  archive(suppression.by, suppression.reason);
}
template <class Archive> void describe(Archive& archive, Diagnostic& d) {
  archive(d.rule, d.code, d.severity, d.message, d.module, d.aliases, d.parent, d.op, d.method,
          d.locations, d.help, d.notes, d.fix, d.fingerprint, d.suppressed);
}
template <class Archive> void describe(Archive& archive, CheckResult& check) {
  archive(check.name, check.log_name, check.status, check.findings, check.summaries);
}
template <class Archive> void describe(Archive& archive, OperatorVerdict& verdict) {
  archive(verdict.name, verdict.verdict, verdict.calls, verdict.conditions, verdict.evidence);
}
template <class Archive> void describe(Archive& archive, TargetVerdict& verdict) {
  archive(verdict.target, verdict.verdict, verdict.package, verdict.date, verdict.release,
          verdict.recorded, verdict.refusals, verdict.operators);
}
template <class Archive> void describe(Archive& archive, InlineIgnore& ignore) {
  archive(ignore.rules, ignore.reason, ignore.where);
}

namespace {

struct Shipped {
  FileResult result;
  process::ErrorFields error;
};

template <class Archive> void describe(Archive& archive, Shipped& shipped) {
  ModelReport& report = shipped.result.report;
  archive(report.path, report.format, report.status, shipped.error, report.ops, report.checks,
          report.verdicts, report.findings, shipped.result.ignores, shipped.result.fault,
          shipped.result.trace_ended);
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
  shipped.result.report.error = process::error_of(shipped.error);
  return std::move(shipped.result);
}

} // namespace model_validator
