#include "verify/compare/runs.h"

#include "verify/compare/pair_reader.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace model_validator::verify {
namespace {

/// Fewer have no median to speak of.
constexpr std::size_t least_members = 8;

/// Lowers each figure to the median of its group, where the group has least_members elements.
template <class GroupOf>
void lower_to_medians(std::vector<double>& least, const std::vector<double>& numbers,
                      const GroupOf& group_of) {
  std::map<std::size_t, std::vector<double>> groups;
  for (std::size_t i = 0; i < numbers.size(); ++i) groups[group_of(i)].push_back(numbers[i]);
  std::map<std::size_t, double> medians;
  for (auto& [group, members] : groups)
    if (members.size() >= least_members) medians[group] = median_of(members);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (const auto found = medians.find(group_of(i)); found != medians.end())
      least[i] = std::min(least[i], found->second);
}

} // namespace

double greatest_magnitude(const std::vector<double>& numbers) {
  double greatest = 0;
  for (const double number : numbers)
    if (std::isfinite(number)) greatest = std::max(greatest, std::fabs(number));
  return greatest;
}

double median_of(std::vector<double>& numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

std::vector<double> numbers_of(const TensorView& view) {
  const auto row_major = contiguous_view(view.data, view.dtype, view.shape);
  const auto count = static_cast<std::size_t>(element_count(view));
  std::vector<double> numbers(count * (is_complex(view.dtype) ? 2 : 1));
  if (row_major.strides == view.strides) {
    loader_of(view.dtype)(view.data, 1, numbers.data(), numbers.size());
    return numbers;
  }
  // A pair is read along the memory of its first tensor.
  const std::vector<std::byte> memory(count * element_size(view.dtype));
  const PairReader reader(contiguous_view(memory.data(), view.dtype, view.shape), view);
  Block block;
  for (std::size_t at = 0; at < numbers.size(); at += block_elements) {
    const std::size_t length = std::min(block_elements, numbers.size() - at);
    reader.read(static_cast<std::int64_t>(at), length, block);
    std::copy_n(block.b, length, numbers.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return numbers;
}

std::vector<double> OutputRuns::greatest_changes() const {
  std::vector<double> greatest(size(), 0);
  for (const auto& other : others)
    for (std::size_t i = 0; i < size(); ++i)
      if (const double change = std::fabs(other[i] - reference[i]); std::isfinite(change))
        greatest[i] = std::max(greatest[i], change);
  return greatest;
}

AxisGroups::AxisGroups(const Shape& shape, std::size_t axis)
    : count_(static_cast<std::size_t>(shape[axis])) {
  for (std::size_t i = axis + 1; i < shape.size(); ++i)
    inner_ *= static_cast<std::size_t>(shape[i]);
}

std::vector<double> medians_nearby(const std::vector<double>& numbers,
                                   const std::vector<double>& reference, const Shape& shape) {
  if (numbers.empty()) return {};
  auto all = numbers;
  std::vector<double> least(numbers.size(), median_of(all));
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const AxisGroups groups(shape, axis);
    if (groups.count() <= 1 || numbers.size() / groups.count() < least_members) continue;
    lower_to_medians(least, numbers, [&](std::size_t i) { return groups.group_of(i); });
  }
  lower_to_medians(least, numbers, [&](std::size_t i) {
    const double size = std::fabs(reference[i]);
    return size > 0 && std::isfinite(size) ? static_cast<std::size_t>(std::ilogb(size) + 2000) : 0;
  });
  return least;
}

} // namespace model_validator::verify
