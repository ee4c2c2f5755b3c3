// Shapes of the few heavy operators for which LibTorch has a Meta kernel only in Python. Everything
// lighter runs on tensors without their own memory.
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <torch/library.h>

#include <optional>
#include <tuple>
#include <vector>

namespace model_validator::verify {
namespace {

at::Tensor convolution(const at::Tensor& input, const at::Tensor& weight,
                       const std::optional<at::Tensor>&, c10::SymIntArrayRef stride,
                       c10::SymIntArrayRef padding, c10::SymIntArrayRef dilation, bool transposed,
                       c10::SymIntArrayRef output_padding, c10::SymInt groups) {
  std::vector<c10::SymInt> shape{input.sym_size(0),
                                 transposed ? weight.sym_size(1) * groups : weight.sym_size(0)};
  for (std::size_t i = 0; i < stride.size(); ++i) {
    const auto dimension = static_cast<std::int64_t>(i) + 2;
    const auto reach = dilation[i] * (weight.sym_size(dimension) - 1);
    const auto size = input.sym_size(dimension);
    shape.push_back(transposed
                        ? (size - 1) * stride[i] - 2 * padding[i] + reach + output_padding[i] + 1
                        : (size + 2 * padding[i] - reach - 1) / stride[i] + 1);
  }
  return at::empty_symint(shape, input.options());
}

std::tuple<at::Tensor, at::Tensor, at::Tensor>
batch_norm(const at::Tensor& input, const std::optional<at::Tensor>&,
           const std::optional<at::Tensor>&, const std::optional<at::Tensor>&,
           const std::optional<at::Tensor>&, bool training, double, double) {
  const auto saved = training ? input.sym_size(1) : c10::SymInt(0);
  return {at::empty_like(input), at::empty_symint({saved}, input.options()),
          at::empty_symint({saved}, input.options())};
}

at::Tensor relu(const at::Tensor& input) { return at::empty_like(input); }
at::Tensor& relu_in_place(at::Tensor& input) { return input; }

} // namespace

TORCH_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("convolution_overrideable", convolution);
  m.impl("native_batch_norm", batch_norm);
  m.impl("relu", relu);
  m.impl("relu_", relu_in_place);
}

} // namespace model_validator::verify
