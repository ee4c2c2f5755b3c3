#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>
#include <torch/csrc/jit/ir/ir.h>

#include <functional>

namespace model_validator::verify {

/// Whether an index picks by its values, and not only as many elements as it has.
bool is_mask(const at::Tensor& tensor);

/// Whether the values of a tensor are unavailable.
using Unknown = std::function<bool(const at::Tensor&)>;

/// Whether the shape of what an operator returns, or a number that it returns, depends on the
/// values of a tensor.
/// @throws Error (`data-dependent`) when it does, and those values are unknown
bool values_decide(const torch::jit::Node& node, const torch::jit::Stack& stack,
                   const Unknown& unknown);

/// @throws Error (`data-dependent`)
[[noreturn]] void refuse_data_dependent(const torch::jit::Node& node);

} // namespace model_validator::verify
