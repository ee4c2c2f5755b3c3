#include <model_validator/data/contains.h>
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
  struct Name {
    IncidentKind kind;
    const char* word;
  };
  constexpr std::array names{Name{IncidentKind::crash, "crash"},
                             Name{IncidentKind::timeout, "timeout"},
                             Name{IncidentKind::number_of_outputs, "number-of-outputs"},
                             Name{IncidentKind::values, "values"},
                             Name{IncidentKind::inputs_changed, "inputs-changed"},
                             Name{IncidentKind::not_deterministic, "not-deterministic"},
                             Name{IncidentKind::state_lost, "state-lost"},
                             Name{IncidentKind::state_kept, "state-kept"},
                             Name{IncidentKind::nan_weights, "nan-weights"},
                             Name{IncidentKind::not_covered, "not-covered"}};
  static_assert(names.size() == static_cast<std::size_t>(IncidentKind::not_covered) + 1);
  return row_with(names, &Name::kind, kind)->word;
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
