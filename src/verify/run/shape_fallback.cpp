#include "verify/run/shape_fallback.h"

#include "verify/run/tensor_tree.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/zeros.h>

#include <string>
#include <utility>
#include <vector>

namespace model_validator::verify {
namespace {

using StandIns = std::vector<std::pair<at::Tensor, at::Tensor>>; ///< CPU tensor, its original

at::Tensor stand_in(const at::Tensor& tensor, bool dense) {
  const auto options = tensor.options().device(c10::kCPU);
  if (dense) return at::zeros(tensor.sizes(), options);
  const std::vector<std::int64_t> strides(static_cast<std::size_t>(tensor.dim()), 0);
  return at::zeros({1}, options).as_strided(tensor.sizes(), strides);
}

/// Tensors that have values keep them: some operators look at lengths or masks.
torch::jit::Stack on_cpu(const torch::jit::Stack& stack, bool dense, StandIns& stand_ins) {
  torch::jit::Stack result;
  for (const auto& value : stack) {
    if (value.isDevice())
      result.emplace_back(c10::Device(c10::kCPU));
    else
      result.push_back(map_tensors(value, [&](const at::Tensor& tensor) {
        if (!tensor.is_meta()) return tensor;
        stand_ins.emplace_back(stand_in(tensor, dense), tensor);
        return stand_ins.back().first;
      }));
  }
  return result;
}

/// An in-place operator returns its own argument.
at::Tensor result_of(const at::Tensor& tensor, const StandIns& stand_ins) {
  for (const auto& [cpu, original] : stand_ins)
    if (cpu.is_same(tensor)) return original;
  if (tensor.is_quantized()) return tensor; // quantized tensors need bytes
  return at::empty(tensor.sizes(), tensor.options().device(c10::kMeta));
}

/// Writes through pointers computed from the shape, so it needs a whole tensor.
bool needs_dense(const torch::jit::Node& node) {
  const std::string name = node.kind().toQualString();
  return name.rfind("aten::_weight_norm", 0) == 0;
}

} // namespace

at::Tensor without_bytes(const at::Tensor& tensor) {
  const auto options = at::TensorOptions().dtype(tensor.dtype()).device(c10::kMeta);
  if (tensor.layout() != c10::kStrided) return at::empty(tensor.sizes(), options);
  return at::empty_strided(tensor.sizes(), tensor.strides(), options);
}

void run_on_small_tensors(const torch::jit::Node& node, Callable& callable,
                          torch::jit::Stack& stack) {
  for (bool dense = needs_dense(node);; dense = true) {
    StandIns stand_ins;
    torch::jit::Stack attempt = on_cpu(stack, dense, stand_ins);
    if (callable.variadic) attempt.emplace_back(static_cast<std::int64_t>(callable.arguments));
    try {
      callable.operation(attempt);
    } catch (const std::exception&) {
      if (dense) throw;
      continue;
    }
    for (auto& value : attempt)
      value = map_tensors(value,
                          [&](const at::Tensor& tensor) { return result_of(tensor, stand_ins); });
    stack = std::move(attempt);
    return;
  }
}

} // namespace model_validator::verify
