#pragma once

#include "verify/command/results.h"
#include "verify/inputs/input_files.h"

#include <vector>

namespace model_validator::verify {

/// Zeroes what honest models differ in: the numbers that one gives for padding, and the places of
/// rings that nothing was written to yet.
/// @param needs  of the model @param shapes  of the samples
void blank_what_means_nothing(const std::vector<InputNeed>& needs,
                              const std::vector<SampleShape>& shapes, RunResults& results);

/// What the reference itself gives no number for in padding counts for neither of them.
void forgive_padding(const std::vector<SampleShape>& shapes, RunResults& reference,
                     RunResults& candidate);

} // namespace model_validator::verify
