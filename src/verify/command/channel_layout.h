#pragma once

#include "verify/command/results.h"

#include <string>
#include <vector>

// Runtimes of phones have the channels of images and sounds last, PyTorch has them second.
namespace model_validator::verify {

/// Whether there are sizes that both have: below 0, one is open.
bool may_be_equal(const Shape& one, const Shape& other);

/// A shape with its channels last, where the other has them second, as that has them; any other as
/// it is. Sizes may be open.
Shape in_layout_of(const Shape& other, const Shape& shape);

/// Outputs of the candidate that have their channels last, where the reference has them second, are
/// laid out as the reference's. @param notes  says so of each
void put_channels_second(const RunResults& reference, RunResults& candidate,
                         std::vector<std::string>& notes);

} // namespace model_validator::verify
