#include "report/names.h"

#include "text/escape.h"

namespace model_validator {

std::string place_of(const SourceLocation& source) {
  std::string place = escape(source.file) + ":" + std::to_string(source.line);
  if (source.column > 0) place += ":" + std::to_string(source.column);
  return place;
}

std::string place_of(const Diagnostic& finding, const std::string& model) {
  if (const DiagnosticLocation* location = first_location(finding))
    return place_of(location->source);
  if (!finding.op) return escape(model);
  return escape(model + ": op `" + finding.op->name + "`");
}

std::string label_of(const Diagnostic& finding, const Paint& paint) {
  const std::string label = std::string(to_string(finding.severity)) + "[" + finding.code + "]";
  switch (finding.severity) {
  case Severity::error: return paint.red(label);
  case Severity::warning: return paint.yellow(label);
  default: return paint.blue(label);
  }
}

const DiagnosticLocation* first_location(const Diagnostic& finding) {
  for (const DiagnosticLocation& location : finding.locations)
    if (location.source.known()) return &location;
  return nullptr;
}

} // namespace model_validator
