#pragma once

#include <model_validator/verify/interpreter.h>

#include <ATen/core/ivalue.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Whether every call after the first finds the same state, as with a cache that the first call
/// fills: the second and the third read attributes of the same structure, shapes and numbers, so
/// they leave what they found, and so do all that follow.
///
/// @param interpreter  runs without values; afterwards the model is as three calls leave it
/// @param arguments    those of each call
/// @param changing     the attributes that a call may leave otherwise than it found them
bool has_steady_state(Interpreter& interpreter,
                      const std::function<std::vector<c10::IValue>()>& arguments,
                      const std::set<std::string>& changing);

} // namespace model_validator::verify
