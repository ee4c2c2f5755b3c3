#pragma once

#include "verify/command/results.h"

#include <string>
#include <vector>

namespace model_validator::verify {

/// Outputs of the candidate that have their channels last, where the reference has them second, are
/// laid out as the reference's. @param notes  says so of each
void put_channels_second(const RunResults& reference, RunResults& candidate,
                         std::vector<std::string>& notes);

} // namespace model_validator::verify
