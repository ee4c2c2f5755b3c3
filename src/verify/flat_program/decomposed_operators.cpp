#include "verify/flat_program/decomposed_operators.h"

#include <torch/jit.h>

#include <algorithm>
#include <string_view>

namespace model_validator::verify {
namespace {

/// After `torch/ao/quantization/fx/_decomposed.py` of torch 2.13. An overload follows its
/// operator's name.
constexpr const char* operators_in_torchscript = R"(
def quantize_per_tensor(input: Tensor, scale: float, zero_point: int, quant_min: int, quant_max: int, dtype: int):
    return torch.clamp(torch.round(input.to(6) * (1.0 / scale)) + zero_point, quant_min, quant_max).to(dtype)

def quantize_per_tensor_tensor(input: Tensor, scale: Tensor, zero_point: Tensor, quant_min: int, quant_max: int,
                               dtype: int):
    return torch.clamp(torch.round(input.to(6) * (1.0 / scale.item())) + zero_point.item(), quant_min,
                       quant_max).to(dtype)

def dequantize_per_tensor(input: Tensor, scale: float, zero_point: int, quant_min: int, quant_max: int, dtype: int,
                          out_dtype: Optional[int] = None):
    return (input.to(6 if out_dtype is None else out_dtype) - zero_point) * scale

def dequantize_per_tensor_tensor(input: Tensor, scale: Tensor, zero_point: Tensor, quant_min: int, quant_max: int,
                                 dtype: int, out_dtype: Optional[int] = None):
    return (input.to(6 if out_dtype is None else out_dtype) - zero_point.item()) * scale.item()

def quantize_per_channel(input: Tensor, scales: Tensor, zero_points: Tensor, axis: int, quant_min: int, quant_max: int,
                         dtype: int):
    steps = torch.round(input.to(6).movedim(axis, -1) * (1.0 / scales)) + zero_points
    return torch.clamp(steps, quant_min, quant_max).movedim(-1, axis).to(dtype)

def dequantize_per_channel(input: Tensor, scales: Tensor, zero_points: Optional[Tensor], axis: int, quant_min: int,
                           quant_max: int, dtype: int, out_dtype: Optional[int] = None):
    steps = input.movedim(axis, -1)
    if zero_points is not None:
        steps = steps - zero_points
    return (steps * scales).movedim(-1, axis).to(6 if out_dtype is None else out_dtype)

def choose_qparams_tensor(input: Tensor, quant_min: int, quant_max: int, eps: float, dtype: int):
    least, most = torch.aminmax(input.to(6))
    least, most = torch.clamp(least, max=0), torch.clamp(most, min=0)
    scale = torch.clamp((most - least) / float(quant_max - quant_min), min=eps).reshape([1])
    zero_point = torch.clamp(quant_min - torch.round(least / scale), quant_min, quant_max)
    return scale.to(7), zero_point.to(4)
)";

} // namespace

torch::jit::GraphFunction* DecomposedOperators::find(const std::string& schema) {
  constexpr std::string_view prefix = "quantized_decomposed::";
  if (!schema.starts_with(prefix)) return nullptr;
  if (!unit_) unit_ = torch::jit::compile(operators_in_torchscript);
  std::string name = schema.substr(prefix.size());
  std::replace(name.begin(), name.end(), '.', '_');
  auto* function = unit_->find_function(c10::QualifiedName(name));
  return function == nullptr ? nullptr : &torch::jit::toGraphFunction(*function);
}

} // namespace model_validator::verify
