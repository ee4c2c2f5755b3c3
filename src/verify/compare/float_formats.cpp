#include "verify/compare/float_formats.h"

#include <model_validator/data/contains.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace model_validator::verify {

namespace {

using Table = std::array<double, 256>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// OCP 8-bit floating point, and its "fn" (no infinity) and "uz" (no negative zero, which is NaN)
// variants.
enum class Specials { ieee, finite, unsigned_zero };

struct FormatOf {
  DType dtype;
  FloatFormat format;
};
constexpr std::array formats{
    FormatOf{DType::float8_e4m3fn, {3, -6}}, FormatOf{DType::float8_e4m3fnuz, {3, -7}},
    FormatOf{DType::float8_e5m2, {2, -14}},  FormatOf{DType::float8_e5m2fnuz, {2, -15}},
    FormatOf{DType::complex32, {10, -14}},   FormatOf{DType::float16, {10, -14}},
    FormatOf{DType::bfloat16, {7, -126}},    FormatOf{DType::complex64, {23, -126}},
    FormatOf{DType::float32, {23, -126}},    FormatOf{DType::complex128, {52, -1022}},
    FormatOf{DType::float64, {52, -1022}},
};

double float8_value(unsigned bits, int mantissa_bits, int bias, Specials specials) {
  const unsigned mantissa_mask = (1U << mantissa_bits) - 1;
  const int exponent = static_cast<int>((bits & 0x7fU) >> mantissa_bits);
  const unsigned mantissa = bits & mantissa_mask;
  const bool top = exponent == static_cast<int>(0x7fU >> mantissa_bits);
  const double sign = (bits & 0x80U) != 0 ? -1 : 1;
  if (specials == Specials::unsigned_zero && bits == 0x80U) return nan;
  if (specials == Specials::finite && top && mantissa == mantissa_mask) return nan;
  if (specials == Specials::ieee && top) return mantissa == 0 ? sign * infinity : nan;
  const double fraction = std::ldexp(mantissa, -mantissa_bits);
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias);
  return sign * std::ldexp(1 + fraction, exponent - bias);
}

Table float8_table(int mantissa_bits, int bias, Specials specials) {
  Table table{};
  for (unsigned bits = 0; bits < 256; ++bits)
    table[bits] = float8_value(bits, mantissa_bits, bias, specials);
  return table;
}

} // namespace

std::optional<FloatFormat> float_format(DType dtype) {
  const auto* row = row_with(formats, &FormatOf::dtype, dtype);
  return row != nullptr ? std::optional(row->format) : std::nullopt;
}

double epsilon_of(DType dtype) {
  const std::optional<FloatFormat> format = float_format(dtype);
  return format ? std::ldexp(1.0, -format->mantissa_bits) : 0.0;
}

const double* float8_values(DType dtype) {
  static const Table e4m3fn = float8_table(3, 7, Specials::finite);
  static const Table e4m3fnuz = float8_table(3, 8, Specials::unsigned_zero);
  static const Table e5m2 = float8_table(2, 15, Specials::ieee);
  static const Table e5m2fnuz = float8_table(2, 16, Specials::unsigned_zero);
  switch (dtype) {
  case DType::float8_e4m3fn: return e4m3fn.data();
  case DType::float8_e4m3fnuz: return e4m3fnuz.data();
  case DType::float8_e5m2: return e5m2.data();
  case DType::float8_e5m2fnuz: return e5m2fnuz.data();
  default: throw std::invalid_argument("not a float8 dtype");
  }
}

} // namespace model_validator::verify
