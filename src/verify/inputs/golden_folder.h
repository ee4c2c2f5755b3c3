#pragma once

#include "verify/inputs/npz.h"

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Stored inputs and outputs of one sample.
struct GoldenSample {
  NamedTensors inputs;
  NamedTensors outputs;
};

/// A folder of `inputs_N.npz` and `outputs_N.npz`, with `golden.json` for what made them and for
/// the dtypes that NumPy does not have.
struct GoldenFolder {
  std::string model;                 ///< the file that was run
  std::vector<GoldenSample> samples; ///< one per call
  std::size_t steps = 1;             ///< calls that belong to one sample
};

/// Whether they are the same to the last bit, whatever their names.
bool same_tensors(const NamedTensors& left, const NamedTensors& right);

/// @throws Error (`bad-golden`), (`no-golden`) where nothing is stored
GoldenFolder read_golden(const std::filesystem::path& folder);
enum class Lasting {
  for_a_run, ///< nothing reads the folder before it is complete
  for_good   ///< existing files are replaced once all new ones are on the disk
};
/// @throws Error (`cannot-write`)
void write_golden(const std::filesystem::path& folder, const GoldenFolder& golden, Lasting lasting);

} // namespace model_validator::verify
