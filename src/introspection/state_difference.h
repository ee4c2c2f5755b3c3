#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace model_validator {

/// How the tensors that one model's file saves differ from another's.
struct StateDifference {
  std::size_t tensors = 0;            ///< of the first
  std::vector<std::string> lost;      ///< names that only the first has
  std::vector<std::string> added;     ///< names that only the second has
  std::vector<std::string> reshaped;  ///< of another shape or dtype
  std::vector<std::string> changed;   ///< of the same shape and dtype, with other bytes
  std::vector<std::string> resharing; ///< names that do not share their bytes with the same others
};

/// Compares names, shapes, bytes, and what shares its bytes. Names that an exporter made up, as
/// ONNX files have them, are left out: such tensors are recognised by their bytes.
/// @throws Error (`missing-weights`, and those of the readers)
StateDifference compare_states(const std::filesystem::path& first,
                               const std::filesystem::path& second);

} // namespace model_validator
