#pragma once

#include <model_validator/connected_graph.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// A scale or a zero point, as a file gives it.
struct QuantisationNumbers {
  std::string name; ///< in the file; empty for a number written where it is used
  TensorType type;
  bool given = false;    ///< it is there
  bool constant = false; ///< it does not depend on the model's inputs
  /// As far as they were read: tensors that are large or stored elsewhere are not.
  std::optional<std::vector<double>> values;
};

/// How real numbers are stored: real = (stored − zero point) × scale.
struct Quantisation {
  std::string dtype; ///< of what is stored: `int8`; empty where unknown
  QuantisationNumbers scale;
  QuantisationNumbers zero_point;
  std::optional<std::int64_t> axis; ///< the dimension along which scales differ, as written
  std::int64_t block_size = 0;      ///< so many numbers along the axis share a scale; 0: all
};

/// Whether both store numbers in the same way, as far as is known.
bool same_quantisation(const Quantisation& a, const Quantisation& b);

} // namespace model_validator
