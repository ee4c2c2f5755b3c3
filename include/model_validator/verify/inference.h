#pragma once

#include <model_validator/verify/value.h>

#include <functional>
#include <vector>

namespace model_validator::verify {

/// Runs a model: one tensor for each of its inputs, in order; the result is nested as the model
/// nests it. Not thread-safe.
using InferenceFunction = std::function<Value(const std::vector<Tensor>& inputs)>;

} // namespace model_validator::verify
