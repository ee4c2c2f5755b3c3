#pragma once

#include <model_validator/verify/value.h>

#include <ATen/core/ivalue.h>

#include <functional>
#include <vector>

namespace model_validator::verify {

/// A model that can be called: framework, compiled, or any function.
using ModelFunction = std::function<c10::IValue(std::vector<c10::IValue>)>;

/// A LibTorch result as a plain value; nothing is copied if the tensors are dense and on the CPU.
/// @throws Error (`unsupported-value`) for a value without a plain form
Value to_value(const c10::IValue& value);

/// A LibTorch tensor as a plain one; shares its memory where possible.
Tensor to_tensor(const at::Tensor& tensor);

/// Deep copies of inputs, so that a model that writes into them does no harm.
std::vector<c10::IValue> clone_inputs(const std::vector<c10::IValue>& inputs);

} // namespace model_validator::verify
