#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::verify {

/// A dtype of whole numbers that lie one behind the other, of few bits the first in the lowest.
struct WholeDtype {
  std::string_view name; ///< PyTorch's word
  int bits;
  bool is_signed;
};
constexpr int bits_of_counts = 32, bits_of_byte = 8;

/// Null for another dtype.
const WholeDtype* whole_dtype(std::string_view name);

/// How many numbers such sizes hold; none of open or absurd ones.
std::optional<std::size_t> count_of(const std::vector<std::int64_t>& shape);

/// How many bytes so many numbers take.
std::size_t bytes_of(const WholeDtype& dtype, std::size_t count);

std::int64_t code_at(const std::string& bytes, std::size_t place, const WholeDtype& dtype);

/// −1 or 1 at the least and the greatest number that there is, else 0. Quantisers use the numbers
/// from −127 to 127 as well as all of them.
std::int8_t end_at(std::int64_t code, const WholeDtype& dtype);

} // namespace model_validator::verify
