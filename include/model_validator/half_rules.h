#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace model_validator {

/// Operators that a conversion to a smaller format breaks.
struct HalfBreak {
  std::vector<std::string> operators; ///< `onnx::Cast`, `aten::arange`
  std::string argument;               ///< that it is about; empty: any call
  std::vector<std::int64_t> is;       ///< its values, as the format numbers dtypes
  std::vector<std::string>
      meets;          ///< only if the result reaches one of these, which take no mixture
  std::string reason; ///< what happens
  std::string remedy;
};

/// What a model has to keep to if it is converted to float16.
struct HalfRules {
  double largest = 0; ///< number that can be expressed
  std::vector<HalfBreak> breaks;
};

} // namespace model_validator
