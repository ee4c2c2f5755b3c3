#pragma once

#include "verify/command/results.h"
#include "verify/inputs/input_files.h"

#include <vector>

namespace model_validator::verify {

/// Zeroes what a model gives for padding: that means nothing, and honest models differ there. It
/// lies in the last of a batch of results, along the first dimension that counts its elements.
/// @param shapes  of the samples
void blank_padding(const std::vector<SampleShape>& shapes, RunResults& results);

} // namespace model_validator::verify
