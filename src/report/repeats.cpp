#include "report/repeats.h"

#include "report/names.h"
#include "text/lists.h"
#include "text/plural.h"

#include <utility>

namespace model_validator {
namespace {

constexpr char separator = '\x1f';

/// All that is reported of a finding, except the model.
std::string words_of(const Diagnostic& finding) {
  const DiagnosticLocation* location = first_location(finding);
  std::string words = finding.code + separator + to_string(finding.severity) + separator +
                      finding.message + separator + finding.help + separator;
  if (location) words += place_of(location->source);
  if (finding.suppressed)
    words += separator + finding.suppressed->by + separator + finding.suppressed->reason;
  return words;
}

} // namespace

bool Repeats::is_fresh(const Diagnostic& finding, const std::string& model) {
  const auto [known, added] = known_.try_emplace(words_of(finding), repeats_.size());
  if (added) {
    repeats_.push_back({finding, model, {}, 0});
    return true;
  }
  Repeat& repeat = repeats_[known->second];
  if (model == repeat.first) return true;
  if (std::exchange(repeat.last, model) == model) return false;
  if (named_ == 0 || repeat.models.size() < named_)
    repeat.models.push_back(model);
  else
    ++repeat.more;
  return false;
}

std::vector<Cause> Repeats::fresh(std::vector<Cause> causes, const std::string& model) {
  std::erase_if(causes, [&](const Cause& cause) { return !is_fresh(*cause.first, model); });
  return causes;
}

std::vector<Repeat> Repeats::all() const {
  std::vector<Repeat> repeated;
  for (const Repeat& repeat : repeats_)
    if (!repeat.models.empty()) repeated.push_back(repeat);
  return repeated;
}

std::string repeat_note(const Repeat& repeat) {
  const std::string note = "the same in " +
                           plural(repeat.models.size() + repeat.more, "other model") + ": " +
                           joined(repeat.models, ", ");
  return repeat.more == 0 ? note : note + " and " + std::to_string(repeat.more) + " more";
}

} // namespace model_validator
