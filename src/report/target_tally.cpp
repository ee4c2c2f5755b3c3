#include "report/target_tally.h"

#include "text/lists.h"

namespace model_validator {

void TargetTally::add(const TargetVerdict& verdict) {
  const auto [entry, fresh] = counts_.try_emplace(verdict.target);
  if (fresh) targets_.push_back(verdict.target);
  entry->second.add(verdict.verdict);
}

std::vector<std::string> TargetTally::sentences() const {
  std::vector<std::string> lines;
  for (const std::string& target : targets_) {
    const VerdictCounts& counts = counts_.at(target);
    std::vector<std::string> parts;
    for (const auto& [number, word] :
         {std::pair(counts.taken, "taken"), std::pair(counts.partly, "in part"),
          std::pair(counts.unknown, "not known"), std::pair(counts.refused, "refused")})
      if (number > 0) parts.push_back(std::to_string(number) + " " + word);
    lines.push_back(target + ": " + joined(parts, ", ") + " of " + std::to_string(counts.all()));
  }
  return lines;
}

} // namespace model_validator
