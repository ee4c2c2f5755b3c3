#include "verify/compare/chunked_pair.h"

#include <thread>

namespace model_validator::verify {

namespace {

constexpr auto block = static_cast<std::int64_t>(block_elements);
constexpr std::int64_t least_chunk = 8 * block;
constexpr std::int64_t max_chunks = 8192;
constexpr std::int64_t worth_a_thread = 1 << 18;

std::int64_t chunk_size(std::int64_t size) {
  const std::int64_t even = (size + max_chunks - 1) / max_chunks;
  return std::max(least_chunk, (even + block - 1) / block * block);
}

unsigned useful_threads(std::int64_t size, unsigned wanted) {
  if (wanted == 0) wanted = std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(
      std::clamp<std::int64_t>(size / worth_a_thread, 1, static_cast<std::int64_t>(wanted)));
}

} // namespace

ChunkedPair::ChunkedPair(const TensorView& reference, const TensorView& candidate, unsigned threads)
    : reader_(reference, candidate), size_(reader_.layout().size()), chunk_(chunk_size(size_)),
      threads_(useful_threads(size_, threads)) {}

std::vector<ChunkSums> ChunkedPair::sum(const PassOptions& options, Watch& watch) const {
  std::vector<ChunkSums> sums(static_cast<std::size_t>(chunks()));
  std::vector<Watch> watches(threads_, Watch(options));
  for_each_task(chunks(), threads_, [&](unsigned thread, std::int64_t chunk) {
    sums[static_cast<std::size_t>(chunk)] =
        sum_chunk(reader_, options, begin(chunk), end(chunk), watches[thread]);
  });
  for (const Watch& one : watches) watch.merge(one);
  return sums;
}

std::vector<SquareSums> ChunkedPair::refine(const Scaling& scaling) const {
  std::vector<SquareSums> sums(static_cast<std::size_t>(chunks()));
  for_each_task(chunks(), threads_, [&](unsigned, std::int64_t chunk) {
    sums[static_cast<std::size_t>(chunk)] =
        refine_chunk(reader_, begin(chunk), end(chunk), scaling, {});
  });
  return sums;
}

ScaleProfile ChunkedPair::profile() const {
  std::vector<ScaleSweep> sweeps(threads_, ScaleSweep(reader_));
  for_each_task(chunks(), threads_, [&](unsigned thread, std::int64_t chunk) {
    sweeps[thread].add(begin(chunk), end(chunk));
  });
  for (std::size_t i = 1; i < sweeps.size(); ++i) sweeps.front().profile.add(sweeps[i].profile);
  return std::move(sweeps.front().profile);
}

std::vector<std::int64_t>
ChunkedPair::positions_of(const std::vector<PlacedElement>& elements) const {
  std::vector<std::int64_t> positions;
  for (const PlacedElement& placed : elements) positions.push_back(placed.position);
  std::sort(positions.begin(), positions.end());
  return positions;
}

SquareSums ChunkedPair::merge_without(const std::vector<PlacedElement>& elements,
                                      const std::vector<SquareSums>& chunk_sums,
                                      const Scaling& scaling) const {
  const std::vector<std::int64_t> excluded = positions_of(elements);
  SquareSums rest;
  for (std::int64_t chunk = 0; chunk < chunks(); ++chunk) {
    const auto next = std::lower_bound(excluded.begin(), excluded.end(), begin(chunk));
    const bool untouched = next == excluded.end() || *next >= end(chunk);
    rest.merge(untouched ? chunk_sums[static_cast<std::size_t>(chunk)]
                         : refine_chunk(reader_, begin(chunk), end(chunk), scaling, excluded));
  }
  return rest;
}

} // namespace model_validator::verify
