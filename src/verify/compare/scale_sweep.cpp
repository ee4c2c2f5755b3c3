#include "verify/compare/scale_sweep.h"

#include <algorithm>
#include <bit>
#include <cmath>

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

ScaleSweep::ScaleSweep(const PairReader& reader) : reader_(&reader) {
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

void ScaleSweep::add(std::int64_t begin, std::int64_t end) {
  Block block;
  for (std::int64_t at = begin; at < end; at += block_elements) {
    const auto count = std::min<std::int64_t>(block_elements, end - at);
    reader_->read(at, static_cast<std::size_t>(count), block);
    add_block(block, at, count);
  }
}

void ScaleSweep::add_block(const Block& block, std::int64_t position, std::int64_t count) {
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
ScaleGroup ScaleSweep::add_row(const Block& block, std::int64_t from, std::int64_t count,
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

} // namespace model_validator::verify
