#pragma once

#include <model_validator/verify/tensor_view.h>

#include <vector>

namespace model_validator::verify {

/// The numbers of a tensor in row-major order, in float64; those of complex tensors one by one.
std::vector<double> numbers_of(const TensorView& view);

/// Of those that are finite; 0 where none is.
double greatest_magnitude(const std::vector<double>& numbers);
/// The middle one, of at least one; reorders them.
double median_of(std::vector<double>& numbers);

/// An output of the reference, of the candidate, and of runs of the reference that differ from it
/// by rounding alone.
struct OutputRuns {
  Shape shape;
  std::vector<double> reference, candidate;
  std::vector<std::vector<double>> others;

  std::size_t size() const { return reference.size(); }
  double error(std::size_t i) const { return candidate[i] - reference[i]; }
  /// How far the other runs move each element at most; 0 where one of them is not finite.
  std::vector<double> greatest_changes() const;
};

/// Elements that are read together: all that lie at one index of an axis.
class AxisGroups {
public:
  AxisGroups(const Shape& shape, std::size_t axis);
  std::size_t count() const { return count_; }
  std::size_t group_of(std::size_t element) const { return element / inner_ % count_; }

private:
  std::size_t inner_ = 1, count_ = 1;
};

/// For each element a figure that a few outliers near it do not move: the least, over the axes of
/// which each index has several elements, of the median of what lies at its index; at most the
/// median of elements of about its own size.
std::vector<double> medians_nearby(const std::vector<double>& numbers,
                                   const std::vector<double>& reference, const Shape& shape);

} // namespace model_validator::verify
