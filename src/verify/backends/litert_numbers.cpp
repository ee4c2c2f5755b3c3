#include "verify/backends/litert_numbers.h"

#include "verify/backends/whole_codes.h"

#include <algorithm>
#include <cmath>

namespace model_validator::verify {
namespace {

/// Whether axes of a tensor of such a rank have another order.
bool moves(const std::vector<std::size_t>& order, std::size_t rank) {
  return !order.empty() && order.size() == rank;
}

/// Where each number lies in the file, in the order asked for.
std::vector<std::size_t> places_in(const std::vector<std::int64_t>& shape,
                                   const std::vector<std::size_t>& order, std::size_t count) {
  std::vector<std::size_t> strides(shape.size(), 1), index(shape.size(), 0), places;
  for (std::size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * static_cast<std::size_t>(shape[d]);
  places.reserve(count);
  for (std::size_t at = 0, i = 0; i < count; ++i) {
    places.push_back(at);
    for (std::size_t d = order.size(); d-- > 0;) {
      at += strides[order[d]];
      if (++index[d] < static_cast<std::size_t>(shape[order[d]])) break;
      at -= index[d] * strides[order[d]];
      index[d] = 0;
    }
  }
  return places;
}

/// Without the sizes of a vector that say nothing.
std::vector<std::int64_t> sizes_of(const StoredSteps& steps, const std::vector<std::size_t>& order,
                                   std::size_t count) {
  const auto says_something = [](std::int64_t size) { return size != 1; };
  if (std::ranges::count_if(steps.shape, says_something) < 2)
    return {static_cast<std::int64_t>(count)};
  if (!moves(order, steps.shape.size())) return steps.shape;
  std::vector<std::int64_t> sizes;
  for (const std::size_t axis : order) sizes.push_back(steps.shape[axis]);
  return sizes;
}

} // namespace

bool is_in_steps(std::string_view dtype, bool is_stored) {
  const WholeDtype* found = whole_dtype(dtype);
  return found != nullptr && (is_stored || found->bits < bits_of_counts);
}

std::optional<FewBitWeight> numbers_of(const StoredSteps& steps, const std::string& bytes,
                                       const std::vector<std::size_t>& order) {
  const WholeDtype* dtype = whole_dtype(steps.dtype);
  const auto count = count_of(steps.shape);
  if (dtype == nullptr || !count || bytes.size() != bytes_of(*dtype, *count)) return std::nullopt;
  std::size_t inner = *count;
  const auto axis = static_cast<std::size_t>(steps.axis);
  if (steps.scales.size() > 1) {
    if (axis >= steps.shape.size() || std::ssize(steps.scales) != steps.shape[axis])
      return std::nullopt;
    inner = 1;
    for (std::size_t d = axis + 1; d < steps.shape.size(); ++d)
      inner *= static_cast<std::size_t>(steps.shape[d]);
  }
  const bool is_moved = moves(order, steps.shape.size());
  const auto places = is_moved ? places_in(steps.shape, order, *count) : std::vector<std::size_t>();
  FewBitWeight weight;
  weight.sizes = sizes_of(steps, order, *count);
  weight.numbers.reserve(*count);
  weight.steps.reserve(*count);
  weight.ends.reserve(*count);
  for (std::size_t i = 0; i < *count; ++i) {
    const std::size_t place = is_moved ? places[i] : i;
    const std::size_t channel = place / std::max<std::size_t>(inner, 1) % steps.scales.size();
    const auto& zeros = steps.zero_points;
    const std::int64_t zero = zeros.empty() ? 0 : zeros[channel % zeros.size()];
    const std::int64_t code = code_at(bytes, place, *dtype);
    weight.numbers.push_back(static_cast<float>(
        (static_cast<double>(code) - static_cast<double>(zero)) * steps.scales[channel]));
    weight.steps.push_back(std::fabs(steps.scales[channel]));
    weight.ends.push_back(end_at(code, *dtype));
  }
  return weight;
}

std::vector<float> as_stored(const std::vector<std::int64_t>& shape,
                             const std::vector<std::size_t>& order, std::vector<float> numbers) {
  if (!moves(order, shape.size())) return numbers;
  const auto places = places_in(shape, order, numbers.size());
  std::vector<float> stored(numbers.size());
  for (std::size_t i = 0; i < places.size(); ++i) stored[places[i]] = numbers[i];
  return stored;
}

} // namespace model_validator::verify
