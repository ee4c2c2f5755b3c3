#include "verify/compare/pass.h"

#include "verify/compare/ulp.h"

#include <algorithm>
#include <cmath>

namespace model_validator::verify {

namespace {

/// The elements of a block as they stood in the tensor, after cleaning.
struct BlockElements {
  const Block& block;
  std::size_t count;
  std::int64_t position;
  const Places* places; ///< null where nothing was taken out

  PlacedElement operator[](std::size_t i) const {
    const std::size_t place = places != nullptr ? (*places)[i] : i;
    return {position + static_cast<std::int64_t>(place), block.a[i], block.b[i], block.d[i]};
  }
};

/// Blocks rarely hold a new worst element: one look at their extreme tells.
template <class Key>
void keep(WorstElements& kept, double block_extreme, const BlockElements& elements, Key key) {
  if (!(block_extreme > kept.threshold())) return;
  for (std::size_t i = 0; i < elements.count; ++i) {
    const double k = key(elements.block.a[i], elements.block.d[i]);
    if (k > kept.threshold()) kept.add(k, elements[i]);
  }
}

double relative_difference(double a, double d) { return a == 0 ? 0 : std::fabs(d) / std::fabs(a); }

void count_magnitudes(Histogram& histogram, const BlockElements& elements) {
  for (std::size_t i = 0; i < elements.count; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(std::fabs(elements.block.d[i]));
    const int exponent = static_cast<int>(bits >> 52) - 1023;
    const int bin = std::clamp(exponent + Histogram::offset, 0, Histogram::bins - 1);
    if (bits == 0)
      ++histogram.exact;
    else
      ++histogram.counts[static_cast<std::size_t>(bin)];
  }
}

void watch_block(Watch& watch, const BlockSums& sums, const BlockElements& elements) {
  keep(watch.worst, sums.max_abs, elements, [](double, double d) { return std::fabs(d); });
  keep(watch.largest, sums.max_a, elements, [](double a, double) { return a; });
  keep(watch.smallest, -sums.min_a, elements, [](double a, double) { return -a; });
  keep(watch.relative, sums.max_rel, elements, relative_difference);
  if (watch.histogram) count_magnitudes(*watch.histogram, elements);
}

} // namespace

void ChunkSums::add_block(const BlockSums& block, const Moments& block_moments) {
  ChunkSums one;
  one.finite = static_cast<std::int64_t>(block_moments.count);
  one.moments = block_moments;
  one.sums = block;
  merge(one);
}

void ChunkSums::merge(const ChunkSums& other) {
  non_finite.merge(other.non_finite);
  if (other.finite == 0) return;
  const bool first = finite == 0;
  finite += other.finite;
  moments.merge(other.moments);
  max_ulp = std::max(max_ulp, other.max_ulp);
  const BlockSums& o = other.sums;
  sums.a += o.a;
  sums.b += o.b;
  sums.abs += o.abs;
  sums.squares += o.squares;
  sums.rel += o.rel;
  sums.max_abs = std::max(sums.max_abs, o.max_abs);
  sums.max_rel = std::max(sums.max_rel, o.max_rel);
  sums.min_a = first ? o.min_a : std::min(sums.min_a, o.min_a);
  sums.max_a = first ? o.max_a : std::max(sums.max_a, o.max_a);
  sums.min_b = first ? o.min_b : std::min(sums.min_b, o.min_b);
  sums.max_b = first ? o.max_b : std::max(sums.max_b, o.max_b);
  sums.unequal += o.unequal;
  sums.zero_a += o.zero_a;
  sums.zero_a_mismatch += o.zero_a_mismatch;
  for (std::size_t i = 0; i < max_bounds; ++i) sums.violations[i] += o.violations[i];
}

Watch::Watch(const PassOptions& options)
    : worst(options.worst, 0), largest(options.extremes), smallest(options.extremes),
      relative(1, 0) {
  if (options.histogram) histogram.emplace();
}

void Watch::merge(const Watch& other) {
  worst.merge(other.worst);
  largest.merge(other.largest);
  smallest.merge(other.smallest);
  relative.merge(other.relative);
  non_finite.insert(non_finite.end(), other.non_finite.begin(), other.non_finite.end());
  if (!histogram || !other.histogram) return;
  histogram->exact += other.histogram->exact;
  std::transform(histogram->counts.begin(), histogram->counts.end(),
                 other.histogram->counts.begin(), histogram->counts.begin(), std::plus<>());
}

ChunkSums sum_chunk(const PairReader& reader, const PassOptions& options, std::int64_t begin,
                    std::int64_t end, Watch& watch) {
  ChunkSums chunk;
  Block block;
  Places places;
  for (std::int64_t at = begin; at < end; at += block_elements) {
    auto count = std::min(block_elements, static_cast<std::size_t>(end - at));
    const bool clean = reader.read(at, count, block);
    if (!clean)
      count = remove_non_finite(block, count, at, chunk.non_finite, places, watch.non_finite,
                                options.worst);
    if (count == 0) continue;
    const BlockSums sums = sum_block(block, count, options.bounds);
    chunk.add_block(sums, centre_block(block, count, sums.a, sums.b));
    if (options.ulp_format && sums.unequal != 0)
      chunk.max_ulp = std::max(chunk.max_ulp, max_ulp(block, count, *options.ulp_format));
    watch_block(watch, sums, {block, count, at, clean ? nullptr : &places});
  }
  return chunk;
}

} // namespace model_validator::verify
