#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace model_validator {

/// Whether numbers of the dtype can be widened: the floating dtypes that weights are trained in.
bool may_be_widened(std::string_view dtype);
/// Writes numbers of such a dtype as float32, without a branch. What does not fit becomes infinite.
/// @param bytes  as many as `to` needs
void widen(std::span<const char> bytes, std::string_view dtype, std::span<float> to);

/// Raises `largest` to the greatest magnitude. NaN is left out.
/// @returns the sum of the squares; NaN or infinite if a number is, or its square in float32
double raise(std::span<const float> numbers, float& largest);
/// The same for columns: number i raises `largest[i]`.
double raise(std::span<const float> numbers, std::span<float> largest);

/// The sum of the squares of what rounding to whole multiples of the scale takes away.
double squared_error(std::span<const float> numbers, float scale);
/// The same with a scale for each.
double squared_error(std::span<const float> numbers, std::span<const float> scales);

} // namespace model_validator
