#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// A tensor that two models hold with other values.
struct ChangedWeights {
  std::string name;       ///< in the first model
  std::string other_name; ///< in the second
  std::string dtype;
  std::vector<std::uint64_t> shape;
  /// The greatest difference of two elements, infinite where one of them is NaN alone; none where
  /// elements of the dtype are not compared. Complex numbers differ by their parts.
  std::optional<double> difference;
  double greatest = 0;         ///< magnitude in the first model
  std::uint64_t differing = 0; ///< elements, or parts of complex ones
};

/// The floating tensors whose bytes differ, those first that differ by most of their greatest
/// value. Both files are read. Empty where the files do not list the same tensors.
/// @throws Error (`truncated-file`, `missing-weights`, and those of the readers)
std::vector<ChangedWeights> changed_weights(const std::filesystem::path& first,
                                            const std::filesystem::path& second);

} // namespace model_validator
