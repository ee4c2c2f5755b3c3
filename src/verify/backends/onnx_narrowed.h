#pragma once

#include "verify/backends/onnx_model.h"
#include "verify/run/narrowing.h"

#include <map>
#include <set>
#include <string>

namespace model_validator::verify {

/// Values that whole numbers stand for, stored tables among them, by name, and the step between two
/// of them; 0: that of the values at hand.
using SteppedNames = std::map<std::string, float>;

/// Makes a copy of a model with its weights, or its weights and results, rounded.
/// @param float_values  the values that are float32: those to round
/// @param in_eight_bits  those that whole numbers stand for; where few of them are values of the
///     model, its names are others, and what layers read is rounded, and what is given out
/// @param seed  0: to the nearest; else weights are moved by up to half a step before
/// @throws Error (`backend-refused`) where its weights lie in other files
SharedOnnxModel narrowed_onnx(OnnxModel& model, const std::filesystem::path& folder,
                              const Narrowing& narrowing, const std::set<std::string>& float_values,
                              const SteppedNames& in_eight_bits, std::uint64_t seed);

/// The values that a quantised model stores as whole numbers, by the names that quantisers keep.
/// @throws Error (`backend-refused`) for a file that cannot be parsed
SteppedNames values_in_whole_numbers(OnnxModel& model);

} // namespace model_validator::verify
