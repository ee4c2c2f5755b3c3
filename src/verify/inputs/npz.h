#pragma once

#include <model_validator/verify/tensor_view.h>

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator::verify {

struct NamedTensor {
  std::string name;
  Tensor tensor;
};
using NamedTensors = std::vector<NamedTensor>;

/// Reads the arrays of a `.npz` file, in the order in which they were written.
/// @throws Error (`bad-npz`, `bad-npy`)
NamedTensors read_npz(const std::filesystem::path& file);

/// Writes them, uncompressed; the file appears whole or not at all.
/// @throws Error (`cannot-write`)
void write_npz(const std::filesystem::path& file, const NamedTensors& tensors);

} // namespace model_validator::verify
