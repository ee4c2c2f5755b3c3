#include <model_validator/verify/report.h>

#include <algorithm>

namespace model_validator::verify {

namespace {

bool is_passed(const Verdict& verdict) { return verdict.passed; }

const std::string& words_of(const Verdict& verdict) {
  return verdict.thrown.empty() ? verdict.message : verdict.thrown;
}

} // namespace

bool OutputReport::passed() const {
  return std::all_of(verdicts.begin(), verdicts.end(), is_passed);
}

bool VerifyReport::passed() const {
  return std::none_of(incidents.begin(), incidents.end(),
                      [](const Incident& incident) { return incident.failure; }) &&
         std::all_of(outputs.begin(), outputs.end(),
                     [](const OutputReport& output) { return output.passed(); });
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
