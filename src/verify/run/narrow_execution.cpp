#include "verify/run/narrow_execution.h"

#include "connected_graph/torchscript/ir/operator_effects.h"
#include "verify/run/tensor_tree.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace model_validator::verify {
namespace {

using Results = Narrowing::Results;
using Weights = Narrowing::Weights;

bool is_single(const at::Tensor& tensor) {
  return tensor.defined() && tensor.scalar_type() == c10::kFloat &&
         tensor.layout() == c10::kStrided;
}

/// Converters keep what float16 cannot hold at its largest number; infinity stays.
at::Tensor rounded_to(const at::Tensor& tensor, c10::ScalarType type) {
  constexpr double largest_half = 65504;
  if (type != c10::kHalf) return tensor.to(type).to(c10::kFloat);
  const auto held = tensor.clamp(-largest_half, largest_half).to(type).to(c10::kFloat);
  return at::where(tensor.isinf(), tensor, held);
}

/// The weight of a layer is among its operands.
bool is_layer(const c10::FunctionSchema& schema) {
  return contains(
      word_array<"aten::_convolution aten::convolution aten::conv1d aten::conv2d "
                 "aten::conv3d aten::linear aten::matmul aten::mm aten::addmm aten::bmm "
                 "aten::baddbmm aten::conv_transpose1d aten::conv_transpose2d aten::lstm "
                 "aten::gru aten::_transformer_encoder_layer_fwd "
                 "aten::_native_multi_head_attention aten::scaled_dot_product_attention">,
      schema.name());
}

/// Quantisers store tables in eight bits as they do the weights of layers, and in fewer seldom.
bool is_table(const c10::FunctionSchema& schema, const Narrowing& how) {
  return schema.name() == "aten::embedding" && how.bits == 8;
}

bool writes_anything(const c10::FunctionSchema& schema) {
  for (std::size_t i = 0; i < schema.arguments().size(); ++i)
    if (torchscript::writes(schema, i)) return true;
  return false;
}

at::Tensor scale_of(const at::Tensor& rows, const Narrowing& how, at::Tensor& zero) {
  const double most = static_cast<double>((std::int64_t{1} << (how.bits - 1)) - 1);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const auto numbers = rows.nan_to_num(0, infinite, -infinite); // a NaN spoils no other number
  if (!how.has_zero_point) {
    zero = at::zeros({1}, rows.options());
    return (numbers.abs().amax(-1, true) / most).clamp_min(1e-30);
  }
  const auto low = numbers.amin(-1, true).clamp_max(0), high = numbers.amax(-1, true).clamp_min(0);
  const auto scale = ((high - low) / (2 * most + 1)).clamp_min(1e-30);
  zero = (-low / scale).round();
  return scale;
}

at::Tensor in_float8(const at::Tensor& rows, bool is_e4m3) {
  const double largest = is_e4m3 ? 448 : 57344;
  const auto scale = (rows.abs().amax(-1, true) / largest).clamp_min(1e-30);
  const auto type = is_e4m3 ? c10::kFloat8_e4m3fn : c10::kFloat8_e5m2;
  return (rows / scale).to(type).to(c10::kFloat) * scale;
}

/// Whether a tensor of these sizes has so many elements. They are what a file states.
bool hold_exactly(const std::vector<std::int64_t>& sizes, std::size_t count) {
  std::size_t left = count;
  for (const std::int64_t size : sizes) {
    if (size <= 0 || left % static_cast<std::size_t>(size) != 0) return false;
    left /= static_cast<std::size_t>(size);
  }
  return left == 1;
}

class NarrowExecution final : public Execution {
public:
  NarrowExecution(const Narrowing& narrowing, std::uint64_t seed)
      : how_(narrowing), seed_(seed), random_(at::detail::createCPUGenerator(seed)) {}

  c10::IValue enter(const c10::IValue& value) override {
    const auto type = type_of_results();
    if (!type || value.isObject() || !any_tensor(value, is_single)) return value;
    return map_tensors(value, [&](const at::Tensor& tensor) {
      return is_single(tensor) ? rounded_to(tensor, *type) : tensor;
    });
  }

  c10::IValue enter_attribute(const c10::IValue& value) override { return entered_weight(value); }
  c10::IValue enter_constant(const c10::IValue& value) override { return entered_weight(value); }

  void run(const torch::jit::Node& node, Callable& callable, torch::jit::Stack& stack) override {
    const auto* schema = callable.schema;
    if (schema != nullptr && (is_layer(*schema) || is_table(*schema, how_))) round_operands(stack);
    if (!rounds_results() || schema == nullptr || writes_anything(*schema))
      return run_plainly(callable, stack);
    const torch::jit::Stack inputs = stack;
    run_plainly(callable, stack);
    const std::size_t results = node.outputs().size();
    for (std::size_t i = stack.size() - std::min(results, stack.size()); i < stack.size(); ++i)
      if (stack[i].isTensor() && is_single(stack[i].toTensor()) &&
          !shares_memory(stack[i].toTensor(), inputs))
        stack[i] = rounded_result(stack[i].toTensor(), *schema);
  }

private:
  bool rounds_results() const {
    return type_of_results() || (how_.results == Results::int8 && how_.everywhere);
  }

  std::optional<c10::ScalarType> type_of_results() const {
    if (how_.results == Results::float16) return c10::kHalf;
    if (how_.results == Results::bfloat16) return c10::kBFloat16;
    return std::nullopt;
  }

  std::optional<c10::ScalarType> type_of_weights() const {
    if (how_.weights == Weights::float16) return c10::kHalf;
    if (how_.weights == Weights::bfloat16) return c10::kBFloat16;
    return type_of_results();
  }

  static bool shares_memory(const at::Tensor& result, const torch::jit::Stack& inputs) {
    for (const c10::IValue& input : inputs)
      if (input.isTensor() && input.toTensor().defined() && input.toTensor().has_storage() &&
          result.has_storage() && input.toTensor().storage().is_alias_of(result.storage()))
        return true;
    return false;
  }

  /// Weights of halves are rounded as they are read; whole numbers where a layer reads them.
  c10::IValue entered_weight(const c10::IValue& value) {
    if (!value.isTensor() || !is_single(value.toTensor())) return value;
    const at::Tensor& weight = value.toTensor();
    if (how_.has_scales()) {
      weights_.emplace(weight.unsafeGetTensorImpl(), weight);
      return value;
    }
    const auto type = type_of_weights();
    if (!type || weight.dim() == 0) return value;
    auto [place, is_new] = rounded_.try_emplace(weight.unsafeGetTensorImpl());
    if (is_new) place->second = {weight, rounded_to(weight, *type)};
    return place->second.after;
  }

  void round_operands(torch::jit::Stack& stack) {
    if (!how_.has_scales() && how_.results != Results::int8 && how_.results != Results::int16)
      return;
    for (c10::IValue& operand : stack) {
      if (!operand.isTensor() || !is_single(operand.toTensor())) continue;
      const at::Tensor& tensor = operand.toTensor();
      if (tensor.dim() < 2 || tensor.numel() == 0) continue;
      if (is_weight(tensor))
        operand = weight_in_few_bits(tensor);
      else if (how_.results != Results::as_they_are)
        operand = values_in_few_bits(tensor);
    }
  }

  /// A parameter, or a view of one: what a linear layer reads may be turned.
  bool is_weight(const at::Tensor& tensor) const {
    if (weights_.count(tensor.unsafeGetTensorImpl()) != 0) return true;
    if (!tensor.has_storage()) return false;
    for (const auto& [key, weight] : weights_)
      if (weight.has_storage() && weight.storage().is_alias_of(tensor.storage())) return true;
    return false;
  }

  at::Tensor weight_in_few_bits(const at::Tensor& weight) {
    if (!how_.has_scales()) return weight;
    const bool is_turned = weight.dim() == 2 && !weight.is_contiguous();
    return is_turned ? rounded_weight(weight.t(), how_).t() : rounded_weight(weight, how_);
  }

  /// Quantisers do not calibrate what lies between 0 and 1, whatever a run gives.
  /// (onnxruntime/python/tools/quantization/operators/softmax.py)
  at::Tensor in_eight_bits(const at::Tensor& result, const c10::FunctionSchema& schema) const {
    constexpr double shares = 256;
    if (schema.name() == "aten::softmax" || schema.name() == "aten::_softmax")
      return (result * shares).round() / shares;
    return values_in_few_bits(result);
  }

  at::Tensor values_in_few_bits(const at::Tensor& values) const {
    Narrowing whole;
    whole.bits = how_.results == Results::int16 ? 16 : 8;
    whole.has_zero_point = true;
    return rounded_weight(values, whole);
  }

  at::Tensor rounded_result(const at::Tensor& result, const c10::FunctionSchema& schema) {
    if (!type_of_results()) return result.numel() == 0 ? result : in_eight_bits(result, schema);
    const auto type = *type_of_results();
    if (seed_ == 0) return rounded_to(result, type);
    const double step = type == c10::kHalf ? 0x1p-11 : 0x1p-8;
    const auto shift = at::rand(result.sizes(), random_, result.options()) * 2 - 1;
    return rounded_to(result * (1 + step * shift), type);
  }

  struct Rounded {
    at::Tensor before; ///< kept: its address is the key
    at::Tensor after;
  };
  Narrowing how_;
  std::uint64_t seed_;
  at::Generator random_;
  std::unordered_map<const c10::TensorImpl*, at::Tensor> weights_;
  std::unordered_map<const c10::TensorImpl*, Rounded> rounded_;
};

} // namespace

at::Tensor rounded_weight(const at::Tensor& weight, const Narrowing& how) {
  auto rows = how.per_channel || how.block > 0 ? weight.flatten(1) : weight.reshape({1, -1});
  const std::int64_t width = rows.size(1);
  const std::int64_t block = std::min(how.block, width); // a file may state any
  if (block > 0) {
    const std::int64_t missing = (block - width % block) % block;
    rows = at::constant_pad_nd(rows, {0, missing}).reshape({rows.size(0), -1, block});
  }
  if (how.weights == Weights::float8_e4m3 || how.weights == Weights::float8_e5m2)
    return in_float8(rows, how.weights == Weights::float8_e4m3).reshape(weight.sizes());
  at::Tensor zero;
  const auto scale = scale_of(rows, how, zero);
  const double most = static_cast<double>((std::int64_t{1} << (how.bits - 1)) - 1);
  const auto steps = how.has_zero_point
                         ? ((rows / scale).round() + zero).clamp(0, 2 * most + 1) - zero
                         : (rows / scale).round().clamp(-most - 1, most);
  auto rounded = (steps * scale).flatten(1);
  if (block > 0) rounded = rounded.slice(1, 0, width);
  return rounded.reshape(weight.sizes());
}

void round_stored_weight(std::vector<float>& numbers, const std::vector<std::int64_t>& sizes,
                         std::int64_t channels, const Narrowing& narrowing) {
  if (numbers.empty() || !hold_exactly(sizes, numbers.size())) return;
  const auto weight = at::from_blob(numbers.data(), sizes, at::kFloat);
  weight.copy_(rounded_weight(weight.movedim(channels, 0), narrowing).movedim(0, channels));
}

std::unique_ptr<Execution> narrow_execution(const Narrowing& narrowing, std::uint64_t seed) {
  return std::make_unique<NarrowExecution>(narrowing, seed);
}

} // namespace model_validator::verify
