#pragma once

#include "verify/inputs/input_values.h"
#include "verify/inputs/sample_sizes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace model_validator::verify {

/// One sample that shows something of its own.
struct SamplePlan {
  std::string name; ///< what it shows, in words; empty for values that are only random
  Scene scene;
  SampleSizes sizes;
};

/// The samples that show what a model does with inputs such as it has: a prompt, a token after a
/// past, padding, every row of a table, other sizes, saturated images.
/// @param sizes  those that the user names are fixed
/// @param file_bytes  of the model, which say what a sample costs
std::vector<SamplePlan> plan_samples(const std::vector<InputNeed>& needs, const SampleSizes& sizes,
                                     std::uint64_t file_bytes);

/// The first of these, as the others vary it.
SamplePlan plain_sample(const SampleSizes& sizes);

/// Other sizes for a model that does not take the usual ones, the likeliest first.
std::vector<SampleSizes> other_sizes(const SampleSizes& sizes);

} // namespace model_validator::verify
