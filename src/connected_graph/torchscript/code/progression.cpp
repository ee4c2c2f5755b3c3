#include "connected_graph/torchscript/code/progression.h"

#include <limits>

namespace model_validator::torchscript {
namespace {

/// Holds products of two 64-bit numbers, and their sums.
__extension__ using Wide = __int128;

/// The last value that it takes; nullopt if it has no end, or exceeds 64 bits.
std::optional<std::int64_t> last_of(const Progression& progression) {
  if (!progression.count) return std::nullopt;
  const Wide last = progression.start + Wide{progression.step} * (*progression.count - 1);
  if (last < std::numeric_limits<std::int64_t>::min() ||
      last > std::numeric_limits<std::int64_t>::max())
    return std::nullopt;
  return static_cast<std::int64_t>(last);
}

std::optional<bool> opposite(std::optional<bool> outcome) {
  return outcome ? std::optional(!*outcome) : std::nullopt;
}

std::optional<bool> always_less(const Progression& progression, std::int64_t bound) {
  const auto highest = progression.highest();
  const auto lowest = progression.lowest();
  if (highest && *highest < bound) return true;
  if (lowest && *lowest >= bound) return false;
  return std::nullopt;
}

std::optional<bool> always_greater(const Progression& progression, std::int64_t bound) {
  const auto highest = progression.highest();
  const auto lowest = progression.lowest();
  if (lowest && *lowest > bound) return true;
  if (highest && *highest <= bound) return false;
  return std::nullopt;
}

} // namespace

std::optional<std::int64_t> Progression::lowest() const {
  return step > 0 ? std::optional(start) : last_of(*this);
}

std::optional<std::int64_t> Progression::highest() const {
  return step < 0 ? std::optional(start) : last_of(*this);
}

bool Progression::reaches(std::int64_t value) const {
  const Wide distance = Wide{value} - start;
  if (distance % step != 0) return false;
  const Wide index = distance / step;
  return index >= 0 && (!count || index < *count);
}

std::optional<bool> always(const Progression& progression, Comparison comparison,
                           std::int64_t bound) {
  switch (comparison) {
  case Comparison::less: return always_less(progression, bound);
  case Comparison::greater_or_equal: return opposite(always_less(progression, bound));
  case Comparison::greater: return always_greater(progression, bound);
  case Comparison::less_or_equal: return opposite(always_greater(progression, bound));
  case Comparison::equal:
    if (!progression.reaches(bound)) return false;
    return progression.count == 1 ? std::optional(true) : std::nullopt;
  case Comparison::unequal: return opposite(always(progression, Comparison::equal, bound));
  }
  return std::nullopt;
}

Comparison mirrored(Comparison comparison) {
  switch (comparison) {
  case Comparison::less: return Comparison::greater;
  case Comparison::less_or_equal: return Comparison::greater_or_equal;
  case Comparison::greater: return Comparison::less;
  case Comparison::greater_or_equal: return Comparison::less_or_equal;
  default: return comparison;
  }
}

} // namespace model_validator::torchscript
