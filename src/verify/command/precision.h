#pragma once

#include "verify/run/narrowing.h"

#include <cstdint>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What a file says of the precision of its values. Of a graph, only what lies on a path to an
/// output counts.
struct Precision {
  std::uint64_t quantised = 0;            ///< operators on quantised values, or such values
  std::vector<std::uint8_t> on_quantised; ///< which outputs depend on one; none: all
  std::vector<std::string> computed_in;   ///< the least precise dtype on the way to each output
  std::string weights;                    ///< the least precise floating-point dtype of weights
  Narrowing narrowing;
};

template <class Archive> void describe(Archive& archive, Precision& precision) {
  archive(precision.quantised, precision.on_quantised, precision.computed_in, precision.weights,
          precision.narrowing);
}

inline bool is_half(const std::string& dtype) { return dtype == "float16" || dtype == "bfloat16"; }

/// Of whole numbers in few bits.
inline int bits_of(const std::string& dtype) {
  if (dtype.ends_with("int4")) return 4;
  return dtype.ends_with("int2") ? 2 : 8;
}

} // namespace model_validator::verify
