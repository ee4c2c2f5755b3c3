#include "connected_graph/torchscript/file/stated_values.h"

#include "connected_graph/torchscript/file/tensor_type.h"
#include "connected_graph/torchscript/file/value_checks.h"
#include "connected_graph/torchscript/ir/names.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>

namespace model_validator::torchscript {
namespace {

constexpr std::int64_t max_channels = 1 << 16; ///< whose scales are read

const c10::IValue* element(const c10::IValue* tuple, std::int64_t index) {
  if (tuple == nullptr || !tuple->isTuple()) return nullptr;
  const auto& elements = tuple->toTupleRef().elements();
  const auto size = static_cast<std::int64_t>(elements.size());
  if (index < 0) index += size;
  return index >= 0 && index < size ? &elements[static_cast<std::size_t>(index)] : nullptr;
}

/// The part of the state that a value of `__setstate__` is; null if it is something else.
const c10::IValue* part_of(const Value& value, const Value& parameter, const c10::IValue& state) {
  if (&value == &parameter) return &state;
  const Node& node = *value.node();
  if (node.kind() == prim::TupleUnpack)
    return element(part_of(*node.input(), parameter, state),
                   static_cast<std::int64_t>(value.offset()));
  if (node.kind() != prim::TupleIndex) return nullptr;
  const auto index = torch::jit::toIValue(node.input(1));
  return index && index->isInt()
             ? element(part_of(*node.input(0), parameter, state), index->toInt())
             : nullptr;
}

QuantisationNumbers numbers(std::vector<double> values, const char* dtype, bool vector) {
  QuantisationNumbers made;
  made.type.dtype = dtype;
  made.type.shape = std::vector<std::int64_t>(vector ? 1 : 0, std::ssize(values));
  made.given = made.constant = true;
  made.values = std::move(values);
  return made;
}

std::vector<double> read(const at::Tensor& tensor) {
  const at::Tensor values = tensor.to(at::kDouble).contiguous();
  const auto* first = values.const_data_ptr<double>();
  return {first, first + values.numel()};
}

} // namespace

void set_plain_attributes(c10::ivalue::Object& object, const c10::IValue& state) {
  const c10::ClassType& type = *object.type();
  torch::jit::Function* method = type.findMethod("__setstate__");
  if (method == nullptr || !method->isGraphFunction()) return;
  const auto graph = torch::jit::toGraphFunction(*method).graph();
  if (graph->inputs().size() != 2) return;
  for (const Node* node : graph->nodes()) {
    if (node->kind() != prim::SetAttr || node->input(0) != graph->inputs()[0]) continue;
    const auto slot = type.findAttributeSlot(node->s(attr::name));
    const c10::IValue* value = part_of(*node->input(1), *graph->inputs()[1], state);
    if (slot && value != nullptr && fits(*value, *type.getAttribute(*slot)))
      object.setSlot(*slot, *value);
  }
}

std::shared_ptr<const Quantisation> quantisation_of(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.is_quantized()) return nullptr;
  auto made = std::make_shared<Quantisation>();
  made->dtype = dtype_name(tensor.scalar_type());
  if (tensor.qscheme() == c10::kPerTensorAffine) {
    made->scale = numbers({tensor.q_scale()}, "float64", false);
    made->zero_point = numbers({static_cast<double>(tensor.q_zero_point())}, "int64", false);
  } else if (tensor.q_per_channel_scales().numel() <= max_channels) {
    made->scale = numbers(read(tensor.q_per_channel_scales()), "float64", true);
    made->zero_point = numbers(read(tensor.q_per_channel_zero_points()), "int64", true);
    made->axis = tensor.q_per_channel_axis();
  }
  return made;
}

} // namespace model_validator::torchscript
