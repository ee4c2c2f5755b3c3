#include "verify/backends/flat_backend.h"

#include "verify/run/signature.h"

#include <ATen/core/jit_type.h>

namespace model_validator::verify {

NamedTensors flat_inputs(const std::vector<c10::IValue>& inputs,
                         const std::vector<std::string>& input_names) {
  Sequence sequence;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    sequence.items.push_back(to_value(inputs[i]));
    sequence.names.push_back(i < input_names.size() ? input_names[i] : std::to_string(i));
  }
  NamedTensors tensors;
  for (const auto& [path, value] : flatten(Value{std::move(sequence)}))
    tensors.push_back({path, as_tensor(value)});
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
