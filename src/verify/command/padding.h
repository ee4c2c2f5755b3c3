#pragma once

#include "verify/command/results.h"
#include "verify/inputs/input_files.h"

#include <vector>

namespace model_validator::verify {

/// Zeroes what a model gives for padding: that means nothing, and honest models differ there. It
/// lies in the last of a batch of results, along the first dimension that counts its elements.
/// @param shapes  of the samples
void blank_padding(const std::vector<SampleShape>& shapes, RunResults& results);

/// Zeroes the places of rings that nothing was written to yet: runtimes leave there what was in
/// their memory.
/// @param needs  of the model
void blank_unfilled_rings(const std::vector<InputNeed>& needs,
                          const std::vector<SampleShape>& shapes, RunResults& results);

} // namespace model_validator::verify
