#include "verify/compare/non_finite.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace model_validator::verify {

namespace {

enum class Kind { finite, nan, positive, negative };

Kind kind_of(double x) {
  if (std::isfinite(x)) return Kind::finite;
  if (std::isnan(x)) return Kind::nan;
  return x > 0 ? Kind::positive : Kind::negative;
}

void count(NonFinite& counts, Kind kind) {
  counts.nan += kind == Kind::nan ? 1 : 0;
  counts.positive_infinity += kind == Kind::positive ? 1 : 0;
  counts.negative_infinity += kind == Kind::negative ? 1 : 0;
}

void add(NonFinite& to, const NonFinite& from) {
  to.nan += from.nan;
  to.positive_infinity += from.positive_infinity;
  to.negative_infinity += from.negative_infinity;
}

/// The difference of two finite numbers can exceed float64's range.
double saturated(double difference) {
  constexpr double largest = std::numeric_limits<double>::max();
  return std::clamp(difference, -largest, largest);
}

} // namespace

void NonFiniteCounts::merge(const NonFiniteCounts& other) {
  add(reference, other.reference);
  add(candidate, other.candidate);
  mismatches += other.mismatches;
  nan_on_both += other.nan_on_both;
}

std::size_t remove_non_finite(Block& block, std::size_t size, std::int64_t position,
                              NonFiniteCounts& counts, Places& places,
                              std::vector<PlacedElement>& samples, std::size_t most) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double a = block.a[i], b = block.b[i], d = block.d[i];
    const Kind kind_a = kind_of(a), kind_b = kind_of(b);
    if (kind_a == Kind::finite && kind_b == Kind::finite) {
      block.a[kept] = a;
      block.b[kept] = b;
      block.d[kept] = saturated(d);
      places[kept++] = static_cast<std::uint16_t>(i);
      continue;
    }
    count(counts.reference, kind_a);
    count(counts.candidate, kind_b);
    counts.nan_on_both += kind_a == Kind::nan && kind_b == Kind::nan ? 1 : 0;
    if (kind_a == kind_b) continue;
    ++counts.mismatches;
    if (samples.size() < most)
      samples.push_back({position + static_cast<std::int64_t>(i), a, b, d});
  }
  return kept;
}

} // namespace model_validator::verify
