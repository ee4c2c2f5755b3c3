#include "verify/backends/flat_backend.h"

#include "verify/run/device.h"
#include "verify/run/fresh_copy.h"
#include "verify/run/signature.h"

#include <ATen/core/jit_type.h>
#include <c10/core/GradMode.h>

namespace model_validator::verify {
namespace {

void drop_numbers(Value& value) {
  if (auto* sequence = std::get_if<Sequence>(&value.data))
    for (Value& item : sequence->items) drop_numbers(item);
  else if (auto* dict = std::get_if<Dict>(&value.data))
    for (auto& [key, item] : dict->items) drop_numbers(item);
  else if (!std::holds_alternative<Tensor>(value.data))
    value.data = None{};
}

} // namespace

ModelFunction in_calls(const torch::jit::Module& module, const BackendOptions& options) {
  return [running = fresh_copy(module), module, device = options.device,
          keep_state = options.keep_state](const std::vector<c10::IValue>& inputs) mutable {
    const c10::NoGradGuard no_gradients;
    if (!keep_state) running = fresh_copy(module);
    return on_cpu(running.forward(on_device(inputs, device)));
  };
}

NamedTensors flat_inputs(const std::vector<c10::IValue>& inputs,
                         const std::vector<std::string>& input_names, Leaves leaves) {
  Sequence sequence;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    sequence.items.push_back(to_value(inputs[i]));
    sequence.names.push_back(i < input_names.size() ? input_names[i] : std::to_string(i));
  }
  Value all{std::move(sequence)};
  if (leaves == Leaves::tensors) drop_numbers(all);
  NamedTensors tensors;
  for (const auto& [path, value] : flatten(all)) tensors.push_back({path, as_tensor(value)});
  return tensors;
}

c10::IValue named_tuple(const NamedTensors& tensors) {
  std::vector<std::string> names;
  std::vector<c10::IValue> items;
  std::vector<c10::TypePtr> types;
  for (const auto& [name, tensor] : tensors) {
    names.push_back(name);
    items.emplace_back(to_torch(tensor));
    types.push_back(c10::TensorType::get());
  }
  const auto type = c10::TupleType::createNamed(std::nullopt, names, types);
  return c10::ivalue::Tuple::createNamed(std::move(items), type);
}

ModelFunction from_flat(FlatFunction function, std::vector<std::string> input_names) {
  return [function = std::move(function),
          names = std::move(input_names)](const std::vector<c10::IValue>& inputs) {
    return named_tuple(function(flat_inputs(inputs, names)));
  };
}

} // namespace model_validator::verify
