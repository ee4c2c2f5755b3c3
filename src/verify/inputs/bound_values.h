#pragma once

#include "verify/inputs/input_values.h"

#include <model_validator/verify/inputs.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace model_validator::verify {

/// The values that an input is to take in samples of such a kind; none where the usual ones do.
/// NaN comes first.
/// @param dtype  that it is given in
std::vector<double> values_to_try(const InputNeed& need, DType dtype, Values kind);

/// That of a plain number; nothing where it is none.
std::optional<DType> dtype_of_number(const InputNeed& need);

/// In how many samples an input of so many elements takes all of them.
std::size_t rounds_for(std::size_t values, std::int64_t elements);

} // namespace model_validator::verify
