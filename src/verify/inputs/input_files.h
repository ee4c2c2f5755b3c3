#pragma once

#include "verify/inputs/input_values.h"
#include "verify/inputs/size_expression.h"

#include <model_validator/verify/inputs.h>

#include <filesystem>
#include <optional>
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

/// What is known of one sample besides its values.
struct SampleShape {
  std::string name; ///< what it shows; empty where it only has values
  Scene scene;
  KnownSizes sizes; ///< of the sizes that the file leaves free
};

/// Values for what a model needs.
struct FilledSamples {
  std::vector<Sample> samples;
  std::vector<SampleShape> shapes;  ///< one for each
  std::vector<std::string> made_up; ///< inputs that nobody gave: `x` [2, 3] float32
};

/// As `make_samples`, and says what was made up.
FilledSamples fill_samples(const std::vector<InputNeed>& needs, const InputOptions& options);

/// Whether the user leaves it open which samples are run.
bool leaves_samples_open(const std::vector<InputNeed>& needs, const InputOptions& options);

/// The samples of `plan_samples`. @param file_bytes  of the model
/// @param attempt  0 for the usual sizes; others, until nothing is returned, for a model that does
/// not take these
std::optional<FilledSamples> standard_samples(const std::vector<InputNeed>& needs,
                                              const InputOptions& options, std::uint64_t file_bytes,
                                              std::size_t attempt);

/// One sample of so many elements after so many others.
FilledSamples sample_of(const std::vector<InputNeed>& needs, const InputOptions& options,
                        std::int64_t sequence, std::int64_t past);

/// The samples of a later call of each: other random values, and positions that follow. What files
/// give stays as it is. @param shapes  of the first calls. @param step  from 1
std::vector<Sample> later_samples(const std::vector<InputNeed>& needs, const InputOptions& options,
                                  const std::vector<SampleShape>& shapes, std::size_t step);

/// Matches values that were stored with their names to what a model needs: by position where it has
/// none of the names. @throws Error (`missing-input`, `unknown-input`)
Sample fit_sample(const std::vector<InputNeed>& needs, const NamedValues& values);

/// Reads what `torch.save` wrote. @throws Error (`bad-tensor-file`)
Value read_saved_value(const std::filesystem::path& file);

} // namespace model_validator::verify
