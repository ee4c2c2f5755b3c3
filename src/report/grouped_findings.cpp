#include "report/grouped_findings.h"

#include "report/names.h"
#include "text/places.h"
#include "text/plural.h"

#include <algorithm>

namespace model_validator {
namespace {

constexpr std::size_t most_shown = 10;

} // namespace

FindingGroup& GroupedFindings::group_of(const Diagnostic& finding, const std::string& model) {
  const auto known =
      std::ranges::find(groups_, finding.rule, [](const auto& each) { return each.first.rule; });
  if (known != groups_.end()) return *known;
  return groups_.emplace_back(FindingGroup{finding, place_of(finding, model), 0, 0, ""});
}

void GroupedFindings::take(std::vector<Cause>& causes, const std::string& model) {
  OfModel here{model, {}};
  std::erase_if(causes, [&](const Cause& cause) {
    const Diagnostic& first = *cause.first;
    if (first.suppressed || std::ranges::find(rules_, first.rule) == rules_.end()) return false;
    FindingGroup& group = group_of(first, model);
    group.findings += cause.all.size();
    group.models += group.last_model == model ? 0 : 1;
    group.last_model = model;
    findings_ += cause.all.size();
    if (findings_ <= most_shown)
      for (const Diagnostic* finding : cause.all) here.findings.push_back(*finding);
    return true;
  });
  if (findings_ > most_shown)
    few_.clear();
  else if (!here.findings.empty())
    few_.push_back(std::move(here));
}

std::vector<FindingGroup> GroupedFindings::groups() const {
  return findings_ > most_shown ? groups_ : std::vector<FindingGroup>{};
}

std::string line_of(const FindingGroup& group) {
  return plural(group.findings, "finding") +
         (group.models > 1 ? " in " + plural(group.models, "model") : "") +
         (group.findings > 1 ? ", such as " : ": ") + group.place + ": " + group.first.message;
}

} // namespace model_validator
