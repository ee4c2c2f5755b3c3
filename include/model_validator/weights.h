#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace model_validator {

/// One tensor of a model's file that holds what is no finite number.
struct NonFiniteTensor {
  std::vector<std::string> names; ///< `layer1.0.conv1.weight`; several where paths share the tensor
  std::string dtype;
  std::uint64_t numbers = 0; ///< a complex number counts as two
  std::uint64_t nan = 0;
  std::uint64_t infinite = 0;
};

/// What reading all weights of a model's file found.
struct WeightScan {
  std::vector<NonFiniteTensor> non_finite; ///< in the order of the file
  std::vector<std::string> unread;         ///< tensors whose bytes the file keeps in a form that is
                                           ///< not read: a pickle, a coded array
};

/// Reads the weights of the model that is checked, each once. @throws Error (`missing-weights`,
/// `truncated-file`, and those of the readers)
using WeightScanner = std::function<WeightScan()>;

} // namespace model_validator
