#pragma once

#include <model_validator/verify/inputs.h>

#include <cstdint>
#include <optional>

namespace model_validator::verify {

/// Where a batch has padding: in its last sequence.
enum class Padding : std::uint8_t { none, left, right };

/// Which values an input takes of those that it may.
enum class Values : std::uint8_t {
  usual,
  saturated, ///< images and sound: constant areas, and values at their limits
  at_bounds, ///< on both sides of what the graph holds them to
  negative,  ///< whole numbers
  beyond_32_bits,
  with_nan,   ///< beside the usual ones
  magnitudes, ///< large ones in one part, small ones in another
  one_sign    ///< all positive, or all negative; of flags that decide: all true, or all false
};

/// What is to be seen in one sample.
struct Scene {
  std::int64_t sequence = 1; ///< elements of this call
  std::int64_t past = 0;     ///< elements before it
  std::int64_t longest = 0;  ///< elements that a sequence has at most whose length is an input
  Padding padding = Padding::none;
  std::int64_t padded = 0;     ///< how many elements of the last sequence are padding
  std::int64_t first_row = -1; ///< of tables: rows from there on one after the other; -1: at random
  Values values = Values::usual;
  std::size_t round = 0; ///< where an input takes fewer values than are to be tried, which of them
  bool extra = false;    ///< nothing is missing where the reference does not run with it
};

/// Values that an input of that meaning takes. @param range  of those that are random
Tensor meaningful_tensor(const InputNeed& need, DType dtype, const Shape& shape, const Scene& scene,
                         std::uint64_t seed, const std::optional<ValueRange>& range);

/// Whether an element of the last sequence is padding. @param count  of elements in the sequence
bool is_padding(const Scene& scene, std::int64_t element, std::int64_t count);

} // namespace model_validator::verify
