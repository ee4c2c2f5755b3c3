#pragma once

namespace model_validator {

/// The largest finite number of float16: (2 − 2^−10) · 2^15, by IEEE 754-2019.
inline constexpr double max_float16 = 65504;

} // namespace model_validator
