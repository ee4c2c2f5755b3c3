#include "verify/compare/pass.h"

#include "verify/compare/ulp.h"

#include <algorithm>
#include <cmath>

namespace model_validator::verify {

namespace {

/// The elements of a cleaned block, with their places in the tensor.
struct BlockElements {
  const Block& block;
  std::size_t count;
  std::int64_t position;
  const Places* places; ///< null where nothing was removed

  PlacedElement operator[](std::size_t i) const {
    const std::size_t place = places != nullptr ? (*places)[i] : i;
    return {position + static_cast<std::int64_t>(place), block.a[i], block.b[i], block.d[i]};
  }
};

/// Blocks rarely hold a new worst element: one look at their extreme suffices.
template <class Key>
void keep(WorstElements& kept, double block_extreme, const BlockElements& elements, Key key) {
  if (!(block_extreme > kept.threshold())) return;
  for (std::size_t i = 0; i < elements.count; ++i) {
    const double k = key(elements.block.a[i], elements.block.d[i]);
    if (k > kept.threshold()) kept.add(k, elements[i]);
  }
}

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

/// Whether an element of the block may be one to keep.
bool is_worth_watching(const Watch& watch, const BlockSums& sums) {
  return watch.histogram || sums.max_abs > watch.worst.threshold() ||
         sums.max_a > watch.largest.threshold() || -sums.min_a > watch.smallest.threshold();
}

void watch_block(Watch& watch, const BlockSums& sums, const BlockElements& elements) {
  keep(watch.worst, sums.max_abs, elements, [](double, double d) { return std::fabs(d); });
  keep(watch.largest, sums.max_a, elements, [](double a, double) { return a; });
  keep(watch.smallest, -sums.min_a, elements, [](double a, double) { return -a; });
  if (watch.histogram) count_magnitudes(*watch.histogram, elements);
}

/// @returns nothing where the elements must be widened first, or are not all finite
std::optional<BlockSums> sum_where_it_lies(const PairReader& reader, const PassOptions& options,
                                           std::int64_t at, std::size_t count) {
  const std::optional<RawPair> pair = reader.straight_run(at, count);
  if (!pair || options.sum_directly == nullptr) return std::nullopt;
  std::optional<BlockSums> sums = options.sum_directly(*pair, options.bounds);
  // The difference of two finite numbers can exceed float64's range.
  if (sums && !std::isfinite(sums->max_abs)) sums.reset();
  return sums;
}

void add_widened(const PairReader& reader, const PassOptions& options, std::int64_t at,
                 std::size_t count, Block& block, ChunkSums& chunk, Watch& watch) {
  Places places;
  const bool clean = reader.read(at, count, block);
  if (!clean)
    count = remove_non_finite(block, count, at, chunk.non_finite, places, watch.non_finite,
                              options.worst);
  if (count == 0) return;
  BlockSums sums = sum_block(block, count, options.bounds);
  if (options.ulp_format && sums.unequal != 0)
    sums.max_ulp = max_ulp(block, count, *options.ulp_format);
  chunk.sums.merge(sums);
  watch_block(watch, sums, {block, count, at, clean ? nullptr : &places});
}

} // namespace

void BlockSums::merge(const BlockSums& other) {
  if (other.moments.count == 0) return;
  const bool first = moments.count == 0;
  moments.merge(other.moments);
  abs += other.abs;
  squares += other.squares;
  rel += other.rel;
  max_abs = std::max(max_abs, other.max_abs);
  max_rel = std::max(max_rel, other.max_rel);
  min_a = first ? other.min_a : std::min(min_a, other.min_a);
  max_a = first ? other.max_a : std::max(max_a, other.max_a);
  min_b = first ? other.min_b : std::min(min_b, other.min_b);
  max_b = first ? other.max_b : std::max(max_b, other.max_b);
  unequal += other.unequal;
  zero_a += other.zero_a;
  zero_a_mismatch += other.zero_a_mismatch;
  max_ulp = std::max(max_ulp, other.max_ulp);
  for (std::size_t i = 0; i < max_bounds; ++i) violations[i] += other.violations[i];
}

void ChunkSums::merge(const ChunkSums& other) {
  sums.merge(other.sums);
  non_finite.merge(other.non_finite);
}

Watch::Watch(const PassOptions& options)
    : worst(options.worst, 0), largest(options.extremes), smallest(options.extremes) {
  if (options.histogram) histogram.emplace();
}

void Watch::merge(const Watch& other) {
  worst.merge(other.worst);
  largest.merge(other.largest);
  smallest.merge(other.smallest);
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
  for (std::int64_t at = begin; at < end; at += block_elements) {
    const auto count = std::min(block_elements, static_cast<std::size_t>(end - at));
    if (const std::optional<BlockSums> sums = sum_where_it_lies(reader, options, at, count)) {
      chunk.sums.merge(*sums);
      if (!is_worth_watching(watch, *sums)) continue;
      reader.read(at, count, block);
      watch_block(watch, *sums, {block, count, at, nullptr});
    } else {
      add_widened(reader, options, at, count, block, chunk, watch);
    }
  }
  return chunk;
}

} // namespace model_validator::verify
