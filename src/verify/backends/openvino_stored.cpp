#include "verify/backends/openvino_stored.h"

#include "verify/backends/whole_codes.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <functional>

namespace model_validator::verify {
namespace {

std::optional<c10::ScalarType> floating(const std::string& dtype) {
  if (dtype == "float32") return c10::kFloat;
  if (dtype == "float16") return c10::kHalf;
  return dtype == "bfloat16" ? std::optional(c10::kBFloat16) : std::nullopt;
}

bool is_in_few_bits(const WholeDtype& dtype) { return dtype.bits <= bits_of_byte; }

StoredIrNumbers whole_numbers(const std::string& bytes, const WholeDtype& dtype,
                              const std::vector<std::int64_t>& sizes) {
  const at::Tensor numbers = at::empty(sizes), ends = at::empty(sizes, at::kChar);
  auto* number = numbers.data_ptr<float>();
  auto* end = ends.data_ptr<std::int8_t>();
  for (std::size_t i = 0; i < static_cast<std::size_t>(numbers.numel()); ++i) {
    const std::int64_t code = code_at(bytes, i, dtype);
    number[i] = static_cast<float>(code);
    end[i] = end_at(code, dtype);
  }
  if (!is_in_few_bits(dtype)) return {"", numbers, {}, {}};
  return {"", numbers, at::ones_like(numbers), ends};
}

std::vector<std::int64_t> integers(const at::Tensor& tensor) {
  const at::Tensor whole = tensor.to(at::kLong).contiguous();
  return {whole.const_data_ptr<std::int64_t>(),
          whole.const_data_ptr<std::int64_t>() + whole.numel()};
}

using Move = std::function<at::Tensor(const at::Tensor&)>;
StoredIrNumbers moved(StoredIrNumbers stored, const Move& move) {
  for (at::Tensor* each : {&stored.numbers, &stored.steps, &stored.ends})
    if (each->defined()) *each = move(*each);
  return stored;
}

StoredIrNumbers scaled(StoredIrNumbers stored, const at::Tensor& scale) {
  stored.numbers = stored.numbers * scale;
  if (!stored.steps.defined()) return stored;
  stored.steps = stored.steps * scale.abs();
  stored.ends = (stored.ends * scale.sign()).to(at::kChar);
  return stored;
}

/// A size of 0 stands for that of what is reshaped.
StoredIrNumbers reshaped(const StoredIrNumbers& stored, std::vector<std::int64_t> sizes) {
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] == 0) sizes[d] = stored.numbers.size(static_cast<std::int64_t>(d));
  return moved(stored, [&](const at::Tensor& tensor) { return tensor.reshape(sizes); });
}

StoredIrNumbers combined(const std::string& type, StoredIrNumbers one, StoredIrNumbers other) {
  if (type == "Reshape") return reshaped(one, integers(other.numbers));
  if (type == "Transpose")
    return moved(one, [order = integers(other.numbers)](const at::Tensor& tensor) {
      return tensor.permute(order);
    });
  if (type == "Multiply") {
    if (!one.steps.defined()) std::swap(one, other);
    return scaled(std::move(one), other.numbers);
  }
  one.numbers = one.numbers - other.numbers; // the zero point is in few bits as well
  return one;
}

bool is_combined(const std::string& type) {
  return type == "Reshape" || type == "Transpose" || type == "Multiply" || type == "Subtract";
}

} // namespace

IrNumbers::IrNumbers(const OpenVinoIr& ir) : ir_(ir), in_few_bits_(ir.layers.size(), false) {
  if (!ir.weights.empty()) weights_.emplace(ir.weights);
  for (std::size_t i = 0; i < ir.layers.size(); ++i) {
    const IrLayer& layer = ir.layers[i];
    const auto is_made_of_such = [&](const auto& input) {
      return in_few_bits_[input.second.layer];
    };
    in_few_bits_[i] = layer.is_constant() ? few_bits_of_ir(layer.element_type) != 0
                                          : std::ranges::any_of(ir.sources[i], is_made_of_such);
  }
}

std::optional<StoredIrNumbers> IrNumbers::constant(const IrLayer& layer) const {
  const auto shape = shape_of_ir(layer.shape);
  const auto count = shape && weights_ ? count_of(*shape) : std::nullopt;
  if (!count) return std::nullopt;
  std::string bytes = weights_->read_at(layer.offset, layer.size);
  const std::string dtype = dtype_of_ir(layer.element_type);
  if (const WholeDtype* whole = whole_dtype(dtype)) {
    if (bytes.size() != bytes_of(*whole, *count)) return std::nullopt;
    StoredIrNumbers found = whole_numbers(bytes, *whole, *shape);
    if (found.steps.defined()) found.name = layer.name;
    return found;
  }
  const auto type = floating(dtype);
  if (!type || bytes.size() != *count * c10::elementSize(*type)) return std::nullopt;
  return StoredIrNumbers{
      "", at::from_blob(bytes.data(), *shape, *type).to(at::kFloat, false, true), {}, {}};
}

std::optional<StoredIrNumbers> IrNumbers::of_operand(std::size_t layer, int input,
                                                     int depth) const {
  const auto source = ir_.sources[layer].find(input);
  return source == ir_.sources[layer].end() ? std::nullopt : of(source->second.layer, depth);
}

std::optional<StoredIrNumbers> IrNumbers::of(std::size_t layer, int depth) const {
  const IrLayer& from = ir_.layers[layer];
  if (from.is_constant()) return constant(from);
  const auto one = depth == 0 ? std::nullopt : of_operand(layer, 0, depth - 1);
  if (!one || from.type == "Convert" || from.type == "FakeQuantize") return one;
  const auto other = is_combined(from.type) ? of_operand(layer, 1, depth - 1) : std::nullopt;
  if (!other) return std::nullopt;
  return combined(from.type, *one, *other);
}

} // namespace model_validator::verify
