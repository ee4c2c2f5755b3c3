#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace model_validator {

/// One tensor of a model's file that holds numbers that are not finite.
struct NonFiniteTensor {
  std::vector<std::string> names; ///< `layer1.0.conv1.weight`; several if paths share the tensor
  std::string dtype;
  std::uint64_t numbers = 0; ///< a complex number counts as two
  std::uint64_t nan = 0;
  std::uint64_t infinite = 0;
};

/// What reading all weights of a model's file found.
struct WeightScan {
  std::vector<NonFiniteTensor> non_finite; ///< in file order
  std::vector<std::string> unread;         ///< tensors that the file stores in a form that is not
                                           ///< read: a pickle, an encoded array
};

/// Reads the weights of the model being checked, each once. @throws Error (`missing-weights`,
/// `truncated-file`, and those of the readers)
using WeightScanner = std::function<WeightScan()>;

} // namespace model_validator
