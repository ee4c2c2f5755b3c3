#pragma once

#include "verify/backends/few_bit_weight.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::verify {

/// How a tensor of a `.tflite` file stands for numbers: (whole number − zero point) · scale.
struct StoredSteps {
  std::string_view dtype;
  std::vector<std::int64_t> shape;
  std::vector<float> scales; ///< one, or one for each index of the axis
  std::vector<std::int64_t> zero_points;
  std::int32_t axis = 0;

  bool operator==(const StoredSteps&) const = default;
};

/// Whether whole numbers of such a dtype, with a scale, stand for others: values in 32 bits are
/// counts, of which only a stored bias has one.
bool is_in_steps(std::string_view dtype, bool is_stored);

/// The numbers that the bytes stand for, with their axes in the order given; none where sizes,
/// scales and bytes do not fit each other.
/// @param order  of the axes; empty: as they lie
std::optional<FewBitWeight> numbers_of(const StoredSteps& steps, const std::string& bytes,
                                       const std::vector<std::size_t>& order);

/// Back into the order in which the file has them.
std::vector<float> as_stored(const std::vector<std::int64_t>& shape,
                             const std::vector<std::size_t>& order, std::vector<float> numbers);

} // namespace model_validator::verify
