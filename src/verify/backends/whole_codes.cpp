#include "verify/backends/whole_codes.h"

#include <model_validator/data/contains.h>

#include <array>
#include <cstring>

namespace model_validator::verify {
namespace {

constexpr std::array<WholeDtype, 9> whole_dtypes{{{"int8", 8, true},
                                                  {"uint8", 8, false},
                                                  {"int16", 16, true},
                                                  {"int4", 4, true},
                                                  {"uint4", 4, false},
                                                  {"int2", 2, true},
                                                  {"uint2", 2, false},
                                                  {"int32", 32, true},
                                                  {"int64", 64, true}}};

} // namespace

const WholeDtype* whole_dtype(std::string_view name) {
  return row_with(whole_dtypes, &WholeDtype::name, name);
}

std::optional<std::size_t> count_of(const std::vector<std::int64_t>& shape) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || (size > 0 && count > most / size)) return std::nullopt;
    count *= size;
  }
  return static_cast<std::size_t>(count);
}

std::size_t bytes_of(const WholeDtype& dtype, std::size_t count) {
  return (count * static_cast<std::size_t>(dtype.bits) + bits_of_byte - 1) / bits_of_byte;
}

std::int64_t code_at(const std::string& bytes, std::size_t place, const WholeDtype& dtype) {
  const auto bits = static_cast<std::size_t>(dtype.bits);
  std::uint64_t code = 0;
  if (dtype.bits < bits_of_byte) { // the first in the lowest bits
    const std::size_t in_byte = bits_of_byte / bits;
    const auto byte = static_cast<unsigned char>(bytes[place / in_byte]);
    code = (byte >> (place % in_byte * bits)) & ((1U << bits) - 1U);
  } else {
    std::memcpy(&code, bytes.data() + place * bits / bits_of_byte, bits / bits_of_byte);
  }
  if (!dtype.is_signed) return static_cast<std::int64_t>(code);
  const int rest = 64 - dtype.bits;
  return static_cast<std::int64_t>(code << rest) >> rest;
}

std::int8_t end_at(std::int64_t code, const WholeDtype& dtype) {
  if (dtype.bits >= bits_of_counts) return 0;
  const std::int64_t codes = std::int64_t{1} << dtype.bits;
  const std::int64_t greatest = dtype.is_signed ? codes / 2 - 1 : codes - 1,
                     least = dtype.is_signed ? -greatest : 0;
  if (code >= greatest) return 1;
  return code <= least ? -1 : 0;
}

} // namespace model_validator::verify
