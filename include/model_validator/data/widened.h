#pragma once

#include <bit>
#include <cstdint>

namespace model_validator {

// The short formats as float32, written with integers so that compilers vectorise them.

inline float widen_float16(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  const std::uint32_t magnitude = static_cast<std::uint32_t>(half & 0x7fffU) << 13;
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112F; // moves the exponent's bias
  const std::uint32_t special = magnitude >= 0x0f800000U ? 0x7f800000U : 0U;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special | sign);
}

inline float widen_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

} // namespace model_validator
