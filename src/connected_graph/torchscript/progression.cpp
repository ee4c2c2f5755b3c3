#include "connected_graph/torchscript/progression.h"

namespace model_validator::torchscript {
namespace {

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
  if (step > 0) return start;
  return count ? std::optional(start + step * (*count - 1)) : std::nullopt;
}

std::optional<std::int64_t> Progression::highest() const {
  if (step < 0) return start;
  return count ? std::optional(start + step * (*count - 1)) : std::nullopt;
}

bool Progression::reaches(std::int64_t value) const {
  if ((value - start) % step != 0) return false;
  const std::int64_t index = (value - start) / step;
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
