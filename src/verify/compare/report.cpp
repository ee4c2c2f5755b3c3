#include <model_validator/verify/report.h>

#include <algorithm>

namespace model_validator::verify {

namespace {

bool is_passed(const Verdict& verdict) { return verdict.passed; }

const std::string& words_of(const Verdict& verdict) {
  return verdict.thrown.empty() ? verdict.message : verdict.thrown;
}

} // namespace

const char* to_string(IncidentKind kind) {
  switch (kind) {
  case IncidentKind::crash: break;
  case IncidentKind::timeout: return "timeout";
  case IncidentKind::number_of_outputs: return "number-of-outputs";
  case IncidentKind::values: return "values";
  case IncidentKind::inputs_changed: return "inputs-changed";
  case IncidentKind::not_deterministic: return "not-deterministic";
  case IncidentKind::state_lost: return "state-lost";
  case IncidentKind::state_kept: return "state-kept";
  case IncidentKind::nan_weights: return "nan-weights";
  case IncidentKind::not_covered: return "not-covered";
  }
  return "crash";
}

bool OutputReport::passed() const { return std::ranges::all_of(verdicts, is_passed); }

bool VerifyReport::passed() const {
  return std::ranges::none_of(incidents, &Incident::failure) &&
         std::ranges::all_of(outputs, &OutputReport::passed);
}

std::string VerifyReport::first_failure() const {
  for (const Incident& incident : incidents)
    if (incident.failure) return incident.message;
  for (const OutputReport& output : outputs)
    for (const Verdict& verdict : output.verdicts)
      if (!verdict.passed) return words_of(verdict);
  return "";
}

} // namespace model_validator::verify
