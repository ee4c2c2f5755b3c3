#include "verify/backends/litert_numbers.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace model_validator::verify {
namespace {

struct WholeDtype {
  std::string_view name;
  int bits;
  bool is_signed;
};
constexpr std::array<WholeDtype, 8> whole_dtypes{{{"int8", 8, true},
                                                  {"uint8", 8, false},
                                                  {"int16", 16, true},
                                                  {"int4", 4, true},
                                                  {"uint4", 4, false},
                                                  {"int2", 2, true},
                                                  {"int32", 32, true},
                                                  {"int64", 64, true}}};
constexpr int bits_of_counts = 32, bits_of_byte = 8;

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

/// Quantisers use the numbers from −127 to 127 as well as all of them.
std::int8_t end_at(std::int64_t code, const WholeDtype& dtype) {
  if (dtype.bits >= bits_of_counts) return 0;
  const std::int64_t codes = std::int64_t{1} << dtype.bits;
  const std::int64_t greatest = dtype.is_signed ? codes / 2 - 1 : codes - 1,
                     least = dtype.is_signed ? -greatest : 0;
  if (code >= greatest) return 1;
  return code <= least ? -1 : 0;
}

/// How many numbers such sizes hold; none of open or absurd ones.
std::optional<std::size_t> count_of(const std::vector<std::int64_t>& shape) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || (size > 0 && count > most / size)) return std::nullopt;
    count *= size;
  }
  return static_cast<std::size_t>(count);
}

/// Whether axes of a tensor of such a rank have another order.
bool moves(const std::vector<std::size_t>& order, std::size_t rank) {
  return !order.empty() && order.size() == rank;
}

/// Where each number lies in the file, in the order asked for.
std::vector<std::size_t> places_in(const std::vector<std::int64_t>& shape,
                                   const std::vector<std::size_t>& order, std::size_t count) {
  std::vector<std::size_t> strides(shape.size(), 1), index(shape.size(), 0), places;
  for (std::size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * static_cast<std::size_t>(shape[d]);
  places.reserve(count);
  for (std::size_t at = 0, i = 0; i < count; ++i) {
    places.push_back(at);
    for (std::size_t d = order.size(); d-- > 0;) {
      at += strides[order[d]];
      if (++index[d] < static_cast<std::size_t>(shape[order[d]])) break;
      at -= index[d] * strides[order[d]];
      index[d] = 0;
    }
  }
  return places;
}

/// Without the sizes of a vector that say nothing.
std::vector<std::int64_t> sizes_of(const StoredSteps& steps, const std::vector<std::size_t>& order,
                                   std::size_t count) {
  const auto says_something = [](std::int64_t size) { return size != 1; };
  if (std::ranges::count_if(steps.shape, says_something) < 2)
    return {static_cast<std::int64_t>(count)};
  if (!moves(order, steps.shape.size())) return steps.shape;
  std::vector<std::int64_t> sizes;
  for (const std::size_t axis : order) sizes.push_back(steps.shape[axis]);
  return sizes;
}

} // namespace

bool is_in_steps(std::string_view dtype, bool is_stored) {
  const WholeDtype* found = row_with(whole_dtypes, &WholeDtype::name, dtype);
  return found != nullptr && (is_stored || found->bits < bits_of_counts);
}

std::optional<FewBitWeight> numbers_of(const StoredSteps& steps, const std::string& bytes,
                                       const std::vector<std::size_t>& order) {
  const WholeDtype* dtype = row_with(whole_dtypes, &WholeDtype::name, steps.dtype);
  const auto count = count_of(steps.shape);
  if (dtype == nullptr || !count ||
      bytes.size() != (*count * static_cast<std::size_t>(dtype->bits) + 7) / bits_of_byte)
    return std::nullopt;
  std::size_t inner = *count;
  const auto axis = static_cast<std::size_t>(steps.axis);
  if (steps.scales.size() > 1) {
    if (axis >= steps.shape.size() || std::ssize(steps.scales) != steps.shape[axis])
      return std::nullopt;
    inner = 1;
    for (std::size_t d = axis + 1; d < steps.shape.size(); ++d)
      inner *= static_cast<std::size_t>(steps.shape[d]);
  }
  const bool is_moved = moves(order, steps.shape.size());
  const auto places = is_moved ? places_in(steps.shape, order, *count) : std::vector<std::size_t>();
  FewBitWeight weight;
  weight.sizes = sizes_of(steps, order, *count);
  weight.numbers.reserve(*count);
  weight.steps.reserve(*count);
  weight.ends.reserve(*count);
  for (std::size_t i = 0; i < *count; ++i) {
    const std::size_t place = is_moved ? places[i] : i;
    const std::size_t channel = place / std::max<std::size_t>(inner, 1) % steps.scales.size();
    const auto& zeros = steps.zero_points;
    const std::int64_t zero = zeros.empty() ? 0 : zeros[channel % zeros.size()];
    const std::int64_t code = code_at(bytes, place, *dtype);
    weight.numbers.push_back(static_cast<float>(
        (static_cast<double>(code) - static_cast<double>(zero)) * steps.scales[channel]));
    weight.steps.push_back(std::fabs(steps.scales[channel]));
    weight.ends.push_back(end_at(code, *dtype));
  }
  return weight;
}

std::vector<float> as_stored(const std::vector<std::int64_t>& shape,
                             const std::vector<std::size_t>& order, std::vector<float> numbers) {
  if (!moves(order, shape.size())) return numbers;
  const auto places = places_in(shape, order, numbers.size());
  std::vector<float> stored(numbers.size());
  for (std::size_t i = 0; i < places.size(); ++i) stored[places[i]] = numbers[i];
  return stored;
}

} // namespace model_validator::verify
