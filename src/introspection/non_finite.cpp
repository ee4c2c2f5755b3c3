#include "introspection/non_finite.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace model_validator {
namespace {

using Counter = NonFiniteCount (*)(std::span<const char>);

/// Counts by the bits: a number that is not finite has every bit of `exponent` set, an infinity no
/// others but the sign. Counts of a block fit into the width of its elements, so that the loop
/// vectorises.
template <class Bits, Bits exponent> NonFiniteCount count_by_exponent(std::span<const char> bytes) {
  constexpr Bits magnitude = std::numeric_limits<Bits>::max() >> 1U;
  constexpr std::size_t block = 4096;
  std::array<Bits, block> elements{};
  NonFiniteCount total;
  total.numbers = bytes.size() / sizeof(Bits);
  for (std::size_t done = 0; done < total.numbers; done += block) {
    const std::size_t count = std::min<std::size_t>(block, total.numbers - done);
    std::memcpy(elements.data(), bytes.data() + done * sizeof(Bits), count * sizeof(Bits));
    Bits special = 0;
    Bits infinite = 0;
    for (std::size_t i = 0; i < count; ++i) {
      special = static_cast<Bits>(special + ((elements[i] & exponent) == exponent ? 1 : 0));
      infinite = static_cast<Bits>(infinite + ((elements[i] & magnitude) == exponent ? 1 : 0));
    }
    total.infinite += infinite;
    total.nan += special - infinite;
  }
  return total;
}

/// The float8 formats without infinities: NaN is one pattern, with either sign or only the one.
template <std::uint8_t mask, std::uint8_t pattern>
NonFiniteCount count_pattern(std::span<const char> bytes) {
  NonFiniteCount total;
  total.numbers = bytes.size();
  total.nan = static_cast<std::uint64_t>(std::ranges::count_if(
      bytes, [](char byte) { return (static_cast<std::uint8_t>(byte) & mask) == pattern; }));
  return total;
}

NonFiniteCount count_float8_e5m2(std::span<const char> bytes) {
  NonFiniteCount total;
  total.numbers = bytes.size();
  for (const char byte : bytes) {
    const auto magnitude = static_cast<std::uint8_t>(byte) & 0x7fU;
    total.infinite += magnitude == 0x7cU ? 1 : 0;
    total.nan += magnitude > 0x7cU ? 1 : 0;
  }
  return total;
}

struct NumberFormat {
  std::string_view dtype;
  Counter count;
};

constexpr Counter float16 = count_by_exponent<std::uint16_t, 0x7c00>;
constexpr Counter bfloat16 = count_by_exponent<std::uint16_t, 0x7f80>;
constexpr Counter float32 = count_by_exponent<std::uint32_t, 0x7f800000>;
constexpr Counter float64 = count_by_exponent<std::uint64_t, 0x7ff0000000000000>;

constexpr std::array<NumberFormat, 12> formats{{{"float32", float32},
                                                {"float16", float16},
                                                {"bfloat16", bfloat16},
                                                {"float64", float64},
                                                {"complex64", float32},
                                                {"complex128", float64},
                                                {"complex32", float16},
                                                {"float8_e5m2", count_float8_e5m2},
                                                {"float8_e4m3fn", count_pattern<0x7f, 0x7f>},
                                                {"float8_e5m2fnuz", count_pattern<0xff, 0x80>},
                                                {"float8_e4m3fnuz", count_pattern<0xff, 0x80>},
                                                {"float8_e8m0fnu", count_pattern<0xff, 0xff>}}};

const NumberFormat* format_of(std::string_view dtype) {
  return row_with(formats, &NumberFormat::dtype, dtype);
}

} // namespace

bool may_be_non_finite(std::string_view dtype) { return format_of(dtype) != nullptr; }

NonFiniteCount count_non_finite(std::span<const char> bytes, std::string_view dtype) {
  const NumberFormat* format = format_of(dtype);
  return format == nullptr ? NonFiniteCount{} : format->count(bytes);
}

} // namespace model_validator
