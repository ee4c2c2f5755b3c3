#pragma once

#include <model_validator/verify/tensor_view.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace model_validator::verify {

/// The order in which two tensors of one shape are read: along the reference's memory, with as few
/// and as long runs as their strides allow. Positions count in this order.
class PairLayout {
public:
  /// @throws std::invalid_argument where the shapes differ
  PairLayout(const TensorView& reference, const TensorView& candidate);

  /// Real numbers in each tensor: a complex element is two.
  std::int64_t size() const { return size_; }

  /// Coordinates in the tensor of the element at a position; for complex one more, for its part.
  std::vector<std::int64_t> coordinates(std::int64_t position) const;

  /// An axis of the tensor; the last one of a complex tensor is for its parts.
  struct Axis {
    std::int64_t size;
    std::size_t axis;
  };
  /// From the slowest to the fastest in the order of reading.
  std::vector<Axis> axes() const;

  /// Calls `run(a_offset, a_stride, b_offset, b_stride, length)` for each straight run of the
  /// positions [begin, begin + count). Offsets and strides are in elements.
  template <class Run> void for_each_run(std::int64_t begin, std::int64_t count, Run run) const;

private:
  struct Dimension {
    std::int64_t size;
    std::int64_t a_stride;
    std::int64_t b_stride;
    std::size_t axis; ///< of the tensor; meaningless once merged
  };
  void add_axes(const TensorView& reference, const TensorView& candidate);
  void merge_runs();

  std::int64_t size_ = 1;
  std::size_t rank_ = 0;
  std::vector<Dimension> ordered_; ///< one per axis, outermost first in memory
  std::vector<Dimension> merged_;  ///< the same positions, as few dimensions as possible
};

template <class Run>
void PairLayout::for_each_run(std::int64_t begin, std::int64_t count, Run run) const {
  const std::int64_t end = begin + count;
  const Dimension& inner = merged_.back();
  for (std::int64_t position = begin; position < end;) {
    const std::int64_t within = position % inner.size;
    std::int64_t rest = position / inner.size;
    std::int64_t a = within * inner.a_stride;
    std::int64_t b = within * inner.b_stride;
    for (std::size_t i = merged_.size() - 1; i-- > 0; rest /= merged_[i].size) {
      a += rest % merged_[i].size * merged_[i].a_stride;
      b += rest % merged_[i].size * merged_[i].b_stride;
    }
    const std::int64_t length = std::min(inner.size - within, end - position);
    run(a, inner.a_stride, b, inner.b_stride, length);
    position += length;
  }
}

} // namespace model_validator::verify
