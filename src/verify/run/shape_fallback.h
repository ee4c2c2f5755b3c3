#pragma once

#include "verify/run/execution.h"

namespace model_validator::verify {

/// A tensor of the same shape, strides and dtype that has no bytes.
at::Tensor without_bytes(const at::Tensor& tensor);

/// Runs one operator that cannot run without bytes: on CPU tensors of the same shapes, all of whose
/// elements are one and the same zero. Tensors that have bytes are used unchanged. Its results have
/// none.
void run_on_small_tensors(const torch::jit::Node& node, Callable& callable,
                          torch::jit::Stack& stack);

} // namespace model_validator::verify
