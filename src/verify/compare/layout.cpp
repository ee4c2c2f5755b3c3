#include "verify/compare/layout.h"

#include <cstdlib>
#include <stdexcept>

namespace model_validator::verify {

PairLayout::PairLayout(const TensorView& reference, const TensorView& candidate) {
  if (reference.shape != candidate.shape)
    throw std::invalid_argument("shapes " + to_string(reference.shape) + " and " +
                                to_string(candidate.shape) + " differ");
  if (is_complex(reference.dtype) != is_complex(candidate.dtype))
    throw std::invalid_argument("a complex tensor and a real one cannot be compared");
  add_axes(reference, candidate);
  for (const Dimension& dimension : ordered_) size_ *= dimension.size;
  merge_runs();
}

void PairLayout::add_axes(const TensorView& reference, const TensorView& candidate) {
  const std::int64_t parts = is_complex(reference.dtype) ? 2 : 1;
  for (std::size_t axis = 0; axis < reference.shape.size(); ++axis)
    ordered_.push_back({reference.shape[axis], reference.strides.at(axis) * parts,
                        candidate.strides.at(axis) * parts, axis});
  rank_ = ordered_.size();
  std::ranges::stable_sort(ordered_, [](const Dimension& x, const Dimension& y) {
    return std::abs(x.a_stride) > std::abs(y.a_stride);
  });
  if (parts == 2) ordered_.push_back({2, 1, 1, rank_++});
}

void PairLayout::merge_runs() {
  for (const Dimension& next : ordered_) {
    if (next.size == 1) continue;
    if (!merged_.empty() && merged_.back().a_stride == next.a_stride * next.size &&
        merged_.back().b_stride == next.b_stride * next.size)
      merged_.back() = {merged_.back().size * next.size, next.a_stride, next.b_stride, 0};
    else
      merged_.push_back(next);
  }
  if (merged_.empty()) merged_.push_back({1, 1, 1, 0});
}

std::vector<std::int64_t> PairLayout::coordinates(std::int64_t position) const {
  std::vector<std::int64_t> result(rank_);
  for (std::size_t i = ordered_.size(); i-- > 0; position /= ordered_[i].size)
    result[ordered_[i].axis] = position % ordered_[i].size;
  return result;
}

std::vector<PairLayout::Axis> PairLayout::axes() const {
  std::vector<Axis> axes;
  for (const Dimension& dimension : ordered_) axes.push_back({dimension.size, dimension.axis});
  return axes;
}

} // namespace model_validator::verify
