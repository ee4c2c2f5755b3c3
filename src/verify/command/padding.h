#pragma once

#include "verify/command/results.h"
#include "verify/inputs/input_files.h"

#include <vector>

namespace model_validator::verify {

/// Zeroes what honest models differ in: what one gives for padding, and the places of rings that
/// nothing was written to yet.
/// @param needs  of the model @param shapes  of the samples
void blank_what_means_nothing(const std::vector<InputNeed>& needs,
                              const std::vector<SampleShape>& shapes, RunResults& results);

} // namespace model_validator::verify
