#include "verify/run/shape_fallback.h"

#include "verify/run/tensor_tree.h"

#include <model_validator/error.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/zeros.h>

#include <set>
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

/// What an in-place operator returns is its own argument again.
at::Tensor result_of(const at::Tensor& tensor, const StandIns& stand_ins) {
  for (const auto& [cpu, original] : stand_ins)
    if (cpu.is_same(tensor)) return original;
  return at::empty(tensor.sizes(), tensor.options().device(c10::kMeta));
}

/// Writes through pointers computed from the shape, and so needs a whole tensor.
bool needs_dense(const torch::jit::Node& node) {
  const std::string name = node.kind().toQualString();
  return name.rfind("aten::_weight_norm", 0) == 0;
}

bool returns_tensors(Callable& callable) {
  if (callable.schema == nullptr) return false;
  for (const auto& result : callable.schema->returns())
    if (result.type()->isSubtypeOf(*c10::NumberType::get()) ||
        result.type()->kind() == c10::TypeKind::BoolType)
      return false;
  return true;
}

[[noreturn]] void refuse_unknown(const torch::jit::Node& node) {
  throw Error("data-dependent", "",
              "what `" + std::string(node.kind().toQualString()) +
                  "` returns depends on the values of a tensor",
              "run the model with values to learn its shapes");
}

bool has_unknown_mask(const torch::jit::Stack& stack) {
  return any_tensor(stack.at(1), [](const at::Tensor& index) {
    const auto type = index.scalar_type();
    return index.is_meta() && (type == c10::kBool || type == c10::kByte);
  });
}

} // namespace

at::Tensor without_bytes(const at::Tensor& tensor) {
  const auto options = at::TensorOptions().dtype(tensor.dtype()).device(c10::kMeta);
  if (tensor.layout() != c10::kStrided) return at::empty(tensor.sizes(), options);
  return at::empty_strided(tensor.sizes(), tensor.strides(), options);
}

void refuse_if_data_decides(const torch::jit::Node& node, const torch::jit::Stack& stack) {
  static const std::set<std::string> kinds{"aten::nonzero",
                                           "aten::nonzero_numpy",
                                           "aten::argwhere",
                                           "aten::unique_dim",
                                           "aten::_unique",
                                           "aten::_unique2",
                                           "aten::bincount",
                                           "aten::unique_consecutive",
                                           "aten::unique_dim_consecutive",
                                           "torchvision::nms",
                                           "aten::_pack_padded_sequence"};
  const std::string kind = node.kind().toQualString();
  const bool mask_decides =
      (kind == "aten::index" || kind == "aten::masked_select") && has_unknown_mask(stack);
  const bool where_alone = kind == "aten::where" && stack.size() == 1;
  if (kinds.count(kind) != 0 || mask_decides || where_alone) refuse_unknown(node);
}

void run_on_small_tensors(const torch::jit::Node& node, Callable& callable,
                          torch::jit::Stack& stack) {
  if (!returns_tensors(callable)) refuse_unknown(node);
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
