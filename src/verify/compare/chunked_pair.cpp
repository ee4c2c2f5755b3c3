#include "verify/compare/chunked_pair.h"

#include "verify/compare/pair_reader.h"

#include <model_validator/verify/metrics.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

namespace model_validator::verify {
namespace {

/// Fewer elements may be small by chance.
constexpr std::int64_t least_elements = 3;
constexpr std::int64_t max_axis_size = 1 << 16;

bool has_scales(const PairLayout::Axis& axis, std::int64_t elements) {
  return axis.size <= max_axis_size && elements / axis.size >= least_elements;
}

std::size_t octave_of(double magnitude) {
  const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(magnitude) >> 52) - 1023;
  return static_cast<std::size_t>(
      std::clamp(exponent + ScaleProfile::offset, 0, ScaleProfile::octaves - 1));
}

void add_element(ScaleGroup& group, double magnitude, double error, std::int64_t position) {
  ++group.count;
  group.scale = std::max(group.scale, magnitude);
  if (error <= group.error) return;
  group.error = error;
  group.position = position;
}

void add_all(std::vector<ScaleGroup>& groups, const std::vector<ScaleGroup>& others) {
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i].add(others[i]);
}

/// Groups the elements of a pair by their scale, chunk by chunk.
class ScaleSweep {
public:
  explicit ScaleSweep(const PairReader& reader) : reader_(&reader) {
    const std::vector<PairLayout::Axis> axes = reader.layout().axes();
    profile.by_axis.resize(axes.size());
    for (const PairLayout::Axis& axis : axes) {
      if (axis.size <= 1) continue;
      axes_.push_back(axis);
      if (has_scales(axis, reader.layout().size()))
        profile.by_axis[axis.axis].resize(static_cast<std::size_t>(axis.size));
    }
    if (axes_.empty()) axes_.push_back({1, profile.by_axis.size()}); // one element
    profile.by_axis.resize(std::max(profile.by_axis.size(), axes_.back().axis + 1));
  }

  /// Reads the positions [begin, end).
  void add(std::int64_t begin, std::int64_t end) {
    Block block;
    for (std::int64_t at = begin; at < end; at += block_elements) {
      const auto count = std::min<std::int64_t>(block_elements, end - at);
      reader_->read(at, static_cast<std::size_t>(count), block);
      add_block(block, at, count);
    }
  }

  ScaleProfile profile;

private:
  void add_block(const Block& block, std::int64_t position, std::int64_t count) {
    const std::int64_t length = axes_.back().size;
    for (std::int64_t from = 0; from < count;) {
      const std::int64_t at = position + from;
      const std::int64_t row = std::min(length - at % length, count - from);
      const ScaleGroup sum = add_row(block, from, row, at);
      std::int64_t rest = at / length;
      for (std::size_t i = axes_.size() - 1; i-- > 0; rest /= axes_[i].size) {
        auto& groups = profile.by_axis[axes_[i].axis];
        if (!groups.empty()) groups[static_cast<std::size_t>(rest % axes_[i].size)].add(sum);
      }
      from += row;
    }
  }

  /// @returns the row as one group
  ScaleGroup add_row(const Block& block, std::int64_t from, std::int64_t count,
                     std::int64_t position) {
    auto& along = profile.by_axis[axes_.back().axis];
    const auto first = static_cast<std::size_t>(position % axes_.back().size);
    ScaleGroup row;
    for (std::int64_t i = 0; i < count; ++i) {
      const double magnitude = std::fabs(block.a[from + i]), error = std::fabs(block.d[from + i]);
      if (!std::isfinite(magnitude) || !std::isfinite(error)) continue;
      ScaleGroup& octave = magnitude == 0 ? profile.zeros : profile.by_octave[octave_of(magnitude)];
      add_element(octave, magnitude, error, position + i);
      add_element(row, magnitude, error, position + i);
      if (!along.empty())
        add_element(along[first + static_cast<std::size_t>(i)], magnitude, error, position + i);
    }
    return row;
  }

  const PairReader* reader_;
  std::vector<PairLayout::Axis> axes_; ///< those longer than one, slowest first
};

/// Calls `work(thread, task)` once for each task, on as many threads. Each thread is given rising
/// tasks. `work` must not throw.
template <class Work> void for_each_task(std::int64_t tasks, unsigned threads, Work work) {
  std::atomic<std::int64_t> next{0};
  const auto serve = [&](unsigned thread) noexcept {
    for (std::int64_t task = next++; task < tasks; task = next++) work(thread, task);
  };
  std::vector<std::jthread> others;
  for (unsigned thread = 1; thread < threads; ++thread) others.emplace_back(serve, thread);
  serve(0);
}

constexpr auto elements_of_block = static_cast<std::int64_t>(block_elements);
constexpr std::int64_t least_chunk = 8 * elements_of_block;
constexpr std::int64_t max_chunks = 8192;
constexpr std::int64_t worth_a_thread = 1 << 18;

std::int64_t chunk_size(std::int64_t size) {
  const std::int64_t even = (size + max_chunks - 1) / max_chunks;
  return std::max(least_chunk,
                  (even + elements_of_block - 1) / elements_of_block * elements_of_block);
}

unsigned useful_threads(std::int64_t size, unsigned wanted) {
  if (wanted == 0) wanted = std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(
      std::clamp<std::int64_t>(size / worth_a_thread, 1, static_cast<std::int64_t>(wanted)));
}

} // namespace

void ScaleGroup::add(const ScaleGroup& other) {
  count += other.count;
  scale = std::max(scale, other.scale);
  const bool is_first = other.error == error && other.position < position;
  if (other.error < error || (other.error == error && !is_first)) return;
  error = other.error;
  position = other.position;
}

void ScaleProfile::add(const ScaleProfile& other) {
  zeros.add(other.zeros);
  add_all(by_octave, other.by_octave);
  for (std::size_t i = 0; i < by_axis.size(); ++i) add_all(by_axis[i], other.by_axis[i]);
}

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
  std::ranges::sort(positions);
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
