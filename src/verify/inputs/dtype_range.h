#pragma once

#include <model_validator/verify/tensor_view.h>

namespace model_validator::verify {

/// Up to two to the power of this, a dtype has every whole number; without the sign.
constexpr unsigned bits_of_whole_numbers(DType dtype) {
  switch (dtype) {
  case DType::bool_: return 1;
  case DType::float16: return 11;
  case DType::bfloat16: return 8;
  case DType::float32: return 24;
  case DType::float64: return 53;
  default:
    if (!is_integral(dtype)) return 0;
    return facts_of(dtype).bits - (facts_of(dtype).name[0] == 'u' ? 0 : 1);
  }
}

/// Whether every number of a dtype of whole numbers is one of the other: uint8's are float32's.
constexpr bool holds_all_of(DType dtype, DType whole) {
  const bool has_sign = whole != DType::bool_ && facts_of(whole).name[0] != 'u';
  const bool takes_sign = dtype != DType::bool_ && facts_of(dtype).name[0] != 'u';
  return is_integral(whole) && (takes_sign || !has_sign) &&
         bits_of_whole_numbers(dtype) >= bits_of_whole_numbers(whole);
}

} // namespace model_validator::verify
