#pragma once

#include "partition/schedule.h"

namespace model_validator::partition {

/// Schedules, and gives partitions of fewer than `smallest` computing ops to the fallback, the last
/// target, until there are none. Changes the colours of what fell back.
Schedule schedule_with_smallest_size(const ClusterGraph& clusters, Colours& colours,
                                     std::size_t target_count, std::size_t smallest);

} // namespace model_validator::partition
