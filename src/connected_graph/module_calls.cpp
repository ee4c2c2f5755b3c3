#include "connected_graph/module_calls.h"

#include "connected_graph/path_condition.h"

namespace model_validator {
namespace {

/// The enclosing branches of a place; loops decide nothing.
PathCondition condition_of(RegionId region, const std::vector<Region>& regions) {
  PathCondition condition;
  for (; region != none; region = regions[region].parent)
    if (regions[region].kind != Region::Kind::loop_body)
      condition.push_back({regions[region].number, regions[region].kind == Region::Kind::then_arm});
  return condition;
}

} // namespace

std::size_t calls_on_one_path(const std::vector<CallSite>& sites,
                              const std::vector<Region>& regions) {
  std::vector<WeightedCondition> events;
  for (const CallSite& site : sites)
    events.push_back({condition_of(site.region, regions), site.times});
  return largest_total(events);
}

} // namespace model_validator
