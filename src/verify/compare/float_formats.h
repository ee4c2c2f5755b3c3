#pragma once

#include <model_validator/data/widened.h>
#include <model_validator/verify/tensor_view.h>

#include <optional>

namespace model_validator::verify {

/// A binary floating-point format, as far as rounding and neighbours need it.
struct FloatFormat {
  int mantissa_bits; ///< stored ones
  int min_exponent;  ///< of the smallest normal number
};

/// The format of a floating or complex dtype's components; none for others.
std::optional<FloatFormat> float_format(DType dtype);

/// Distance from 1 to the next number; 0 for dtypes that are not floating.
double epsilon_of(DType dtype);

/// The value of each of the 256 patterns of a float8 dtype.
const double* float8_values(DType dtype);

} // namespace model_validator::verify
