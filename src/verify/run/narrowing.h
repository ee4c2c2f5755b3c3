#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace model_validator::verify {

/// In how few bits a candidate stores or computes what the reference has in float32.
struct Narrowing {
  enum class Results : std::uint8_t {
    as_they_are,
    float16,
    bfloat16,
    int8,  ///< what convolutions and products read, with one scale for each tensor
    int16, ///< likewise
  };
  enum class Weights : std::uint8_t {
    as_they_are,
    float16,
    bfloat16,
    whole_numbers,
    float8_e4m3,
    float8_e5m2,
  };

  Results results = Results::as_they_are;
  Weights weights = Weights::as_they_are;
  int bits = 8;                ///< of weights that are whole numbers
  std::int64_t block = 0;      ///< so many along a row share a scale; 0: all
  bool per_channel = false;    ///< a scale for each row
  bool has_zero_point = false; ///< else symmetric about zero
  bool everywhere = false;     ///< every result is stored in int8, not only what layers read

  bool narrows() const {
    return results != Results::as_they_are || weights != Weights::as_they_are;
  }
  bool computes_in_halves() const {
    return results == Results::float16 || results == Results::bfloat16;
  }
  bool is_half() const {
    return computes_in_halves() || (!has_scales() && results == Results::as_they_are);
  }
  /// Whether weights are multiples of scales.
  bool has_scales() const { return weights >= Weights::whole_numbers; }
};

/// `float16`, `int8`, `int4 weights in blocks of 32`.
std::string words_of(const Narrowing& narrowing);

/// Rounds the numbers of a stored weight to whole multiples of their scales. Sizes that do not fit
/// them leave them as they are.
/// @param channels  the axis of the rows; −1: the last
void round_stored_weight(std::vector<float>& numbers, const std::vector<std::int64_t>& sizes,
                         std::int64_t channels, const Narrowing& narrowing);

template <class Archive> void describe(Archive& archive, Narrowing& narrowing) {
  archive(narrowing.results, narrowing.weights, narrowing.bits, narrowing.block,
          narrowing.per_channel, narrowing.has_zero_point, narrowing.everywhere);
}

} // namespace model_validator::verify
