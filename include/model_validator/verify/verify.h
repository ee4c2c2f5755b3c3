#pragma once

#include <model_validator/verify/config.h>

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

/// What `verify` returns: both results besides the report.
struct VerifyOutcome {
  c10::IValue framework_output;
  c10::IValue compiled_output;
  VerifyReport report;
};

/// Runs both models on clones of the inputs and compares number, dtype, shape and values of the
/// outputs; the report names everything that fails. Exceptions from either model are not caught.
VerifyOutcome verify(const std::vector<c10::IValue>& inputs, const ModelFunction& framework_model,
                     const ModelFunction& compiled_model, const VerifyConfig& config = {});

/// The same, but the first failure is thrown.
/// @throws std::runtime_error with TT-Forge's message
VerifyOutcome verify_or_throw(const std::vector<c10::IValue>& inputs,
                              const ModelFunction& framework_model,
                              const ModelFunction& compiled_model, const VerifyConfig& config = {});

} // namespace model_validator::verify
