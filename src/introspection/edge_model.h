#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Models that only their runtimes run, LiteRT's (`.tflite`) and ExecuTorch's (`.pte`), as far as
// they are read without these: what a model declares and stores, not what it computes.
namespace model_validator {

struct EdgeValue {
  std::string name;
  std::string dtype; ///< PyTorch's word; empty for one that PyTorch does not have
  std::optional<std::vector<std::int64_t>> shape; ///< −1 for a free size
  bool is_stored = false;
  // of whole numbers that are steps of a scale
  std::vector<float> scales;
  std::vector<std::int64_t> zero_points;
  bool is_stepped = false; ///< also where scales lie elsewhere, or are found when it runs
  bool has_many_scales = false;
  std::int64_t block = 0; ///< of a row, so many share a scale
};

/// What the model is called with, and what it gives.
struct EdgePort {
  std::string name;
  std::size_t value = 0;
};

struct EdgeOp {
  std::vector<std::size_t> inputs, outputs; ///< values
};

struct EdgeModel {
  std::size_t graph = 0;            ///< which of the file's graphs that is
  std::string entry;                ///< the signature or method that is run; empty: it has none
  std::vector<std::string> entries; ///< all of them
  std::vector<EdgePort> inputs, outputs;
  std::vector<EdgeValue> values;
  std::vector<EdgeOp> ops; ///< in the order in which they run; none where the file does not say
};

/// A `.tflite` file: its signature `serving_default`, or its first one. Inputs and outputs that are
/// numbered are in the order of their numbers, as exporters from PyTorch mean them.
/// @throws Error (`damaged-file`)
EdgeModel read_litert_model(const std::filesystem::path& file);

/// A `.pte` file: its method `forward`, or its first one. What is delegated to XNNPACK is read as
/// far as it says in what numbers it computes. @throws Error (`damaged-file`)
EdgeModel read_executorch_program(const std::filesystem::path& file);

} // namespace model_validator
