#include "validators/suggestions/exclusive_regions.h"

namespace model_validator {
namespace {

bool is_arm(const Region& region) { return region.kind != Region::Kind::loop_body; }

std::size_t arm_of(const Region& region) { return region.kind == Region::Kind::then_arm ? 0 : 1; }

} // namespace

void ExclusiveRegions::add(RegionId id) {
  for (; id != none; id = graph_.regions()[id].parent)
    if (const Region& region = graph_.regions()[id]; is_arm(region))
      ++arms_[region.op][arm_of(region)];
}

std::size_t ExclusiveRegions::exclusive_with(RegionId id) const {
  std::size_t count = 0;
  for (; id != none; id = graph_.regions()[id].parent) {
    const Region& region = graph_.regions()[id];
    if (!is_arm(region)) continue;
    const auto arms = arms_.find(region.op);
    if (arms != arms_.end()) count += arms->second[1 - arm_of(region)];
  }
  return count;
}

} // namespace model_validator
