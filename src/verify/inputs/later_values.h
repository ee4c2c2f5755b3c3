#pragma once

#include "verify/inputs/input_files.h"

namespace model_validator::verify {

/// Given values for another call of the same sequence: the elements of every floating tensor are
/// moved on by so many places, the last ones to the front, since a state that is fed the same
/// numbers each time does not show where it keeps them.
NamedValues moved_on(NamedValues values, std::size_t places);

} // namespace model_validator::verify
