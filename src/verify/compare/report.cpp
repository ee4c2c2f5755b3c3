#include <model_validator/verify/report.h>

#include <algorithm>
#include <array>

namespace model_validator::verify {

namespace {

bool is_passed(const Verdict& verdict) { return verdict.passed; }

const std::string& words_of(const Verdict& verdict) {
  return verdict.thrown.empty() ? verdict.message : verdict.thrown;
}

} // namespace

const char* to_string(IncidentKind kind) {
  constexpr std::array names{"crash",      "timeout",        "number-of-outputs",
                             "values",     "inputs-changed", "not-deterministic",
                             "state-lost", "state-kept",     "nan-weights",
                             "not-covered"};
  static_assert(names.size() == static_cast<std::size_t>(IncidentKind::not_covered) + 1);
  return names.at(static_cast<std::size_t>(kind));
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
