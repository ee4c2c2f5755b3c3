#pragma once

#include <model_validator/verify/inputs.h>

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A value from a file; a value without a name is matched by position.
struct NamedValue {
  std::string name;
  Value value;
};
using NamedValues = std::vector<NamedValue>;

/// Reads input files, folders among them, as samples: a `.npz` file, or a saved list, tuple or dict
/// of tensors, is a sample; `.npy` files and single saved tensors are together one sample, each
/// named like its file.
/// @throws Error
std::vector<NamedValues> read_input_files(const std::vector<std::filesystem::path>& files);

/// Values for what a model needs.
struct FilledSamples {
  std::vector<Sample> samples;
  std::vector<std::string> made_up; ///< inputs that nobody gave: `x` [2, 3] float32
};

/// As `make_samples`, and says what was made up.
FilledSamples fill_samples(const std::vector<InputNeed>& needs, const InputOptions& options);

/// Matches values that were stored with their names to what a model needs: by position where it has
/// none of the names. @throws Error (`missing-input`, `unknown-input`)
Sample fit_sample(const std::vector<InputNeed>& needs, const NamedValues& values);

/// Reads what `torch.save` wrote. @throws Error (`bad-tensor-file`)
Value read_saved_value(const std::filesystem::path& file);

} // namespace model_validator::verify
