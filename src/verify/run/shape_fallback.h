#pragma once

#include "verify/run/execution.h"

namespace model_validator::verify {

/// A tensor of the same shape, strides and dtype that has no bytes.
at::Tensor without_bytes(const at::Tensor& tensor);

/// Some results have a shape that only the values decide.
/// @throws Error (`data-dependent`) when the node is of that kind.
void refuse_if_data_decides(const torch::jit::Node& node, const torch::jit::Stack& stack);

/// Runs one operator that cannot run without bytes: on CPU tensors of the same shapes, all of whose
/// elements are one and the same zero. The stack holds tensors without bytes before and after.
/// @throws Error (`data-dependent`) when the result is a number and not a tensor.
void run_on_small_tensors(const torch::jit::Node& node, Callable& callable,
                          torch::jit::Stack& stack);

} // namespace model_validator::verify
