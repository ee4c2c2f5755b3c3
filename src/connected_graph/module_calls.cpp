#include "connected_graph/module_calls.h"

#include <algorithm>
#include <map>
#include <utility>

namespace model_validator {
namespace {

bool is_arm(const Region& region) { return region.kind != Region::Kind::loop_body; }

/// Calls by region, children before their parents: regions are numbered outside in.
std::size_t fold(std::map<RegionId, std::size_t> calls, const std::vector<Region>& regions) {
  std::map<std::pair<RegionId, std::size_t>, std::size_t>
      best_arm; // by parent and number of the if
  for (RegionId id = regions.size(); id-- > 0;) {
    const auto found = calls.find(id);
    if (found == calls.end()) continue;
    const Region& region = regions[id];
    std::size_t added = found->second;
    if (is_arm(region)) {
      std::size_t& best = best_arm[{region.parent, region.number}];
      added = found->second > best ? found->second - best : 0;
      best = std::max(best, found->second);
    }
    calls[region.parent] += added;
  }
  return calls[none];
}

} // namespace

std::size_t calls_on_one_path(const std::vector<CallSite>& sites,
                              const std::vector<Region>& regions) {
  std::map<RegionId, std::size_t> calls;
  for (const CallSite& site : sites) calls[site.region] += site.times;
  return fold(std::move(calls), regions);
}

} // namespace model_validator
