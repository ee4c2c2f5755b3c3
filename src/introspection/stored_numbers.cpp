#include "introspection/stored_numbers.h"

#include "introspection/byte_source.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/widened.h>

#include <array>
#include <cstring>
#include <string_view>

namespace model_validator {
namespace {

template <class Stored> double plain(Stored stored) { return static_cast<double>(stored); }
double half(std::uint16_t stored) { return widen_float16(stored); }
double brain_half(std::uint16_t stored) { return widen_bfloat16(stored); }

template <class Stored, double (*value)(Stored) = plain<Stored>>
std::vector<double> decode(const std::string& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    numbers[i] = value(stored);
  }
  return numbers;
}

struct Decoder {
  std::string_view dtype;
  std::vector<double> (*decode)(const std::string& bytes);
  std::size_t width; ///< bytes of a number
};

constexpr std::array<Decoder, 12> decoders{{{"float32", decode<float>, 4},
                                            {"float64", decode<double>, 8},
                                            {"float16", decode<std::uint16_t, half>, 2},
                                            {"bfloat16", decode<std::uint16_t, brain_half>, 2},
                                            {"int8", decode<std::int8_t>, 1},
                                            {"uint8", decode<std::uint8_t>, 1},
                                            {"bool", decode<std::uint8_t>, 1},
                                            {"int16", decode<std::int16_t>, 2},
                                            {"uint16", decode<std::uint16_t>, 2},
                                            {"int32", decode<std::int32_t>, 4},
                                            {"uint32", decode<std::uint32_t>, 4},
                                            {"int64", decode<std::int64_t>, 8}}};

bool lies_row_after_row(const StoredWeights& weights) {
  if (weights.strides.empty()) return true;
  std::uint64_t stride = 1;
  for (std::size_t axis = weights.shape.size(); axis-- > 0;) {
    if (weights.shape[axis] != 1 && weights.strides[axis] != stride) return false;
    stride *= weights.shape[axis];
  }
  return true;
}

std::uint64_t size_of(const StoredWeights& weights) {
  std::uint64_t bytes = weights.bytes.size();
  for (const ByteSpan& span : weights.spans) bytes += span.size;
  return bytes;
}

} // namespace

std::string stored_bytes(const StoredWeights& weights, ByteSource& source) {
  if (!weights.bytes.empty()) return weights.bytes;
  std::string bytes;
  for (const ByteSpan& span : weights.spans) {
    const std::size_t before = bytes.size();
    bytes.resize(before + span.size);
    source.seek(weights, span.offset);
    source.read(bytes.data() + before, span.size);
  }
  return bytes;
}

std::optional<std::vector<double>> numbers_of(const StoredWeights& weights, ByteSource& source,
                                              std::uint64_t max_numbers) {
  const Decoder* decoder = row_with(decoders, &Decoder::dtype, weights.dtype);
  if (decoder == nullptr || !lies_row_after_row(weights)) return std::nullopt;
  if (size_of(weights) / decoder->width > max_numbers) return std::nullopt;
  std::string bytes = stored_bytes(weights, source);
  // Protobuf keeps small integers in wider fields.
  std::uint64_t count = 1;
  for (const std::uint64_t size : weights.shape) count *= size;
  const bool is_widened = decoder->width < 4 && bytes.size() == 4 * count && count > 0;
  return is_widened ? decode<std::int32_t>(bytes) : decoder->decode(bytes);
}

std::optional<std::vector<double>> numbers_of(const StoredWeights& weights,
                                              std::uint64_t max_numbers) {
  ByteSource source;
  return numbers_of(weights, source, max_numbers);
}

} // namespace model_validator
