#include "verify/backends/flat_backend.h"

#include "verify/run/signature.h"

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

ModelFunction from_flat(FlatFunction function, std::vector<std::string> input_names) {
  return [function = std::move(function),
          names = std::move(input_names)](std::vector<c10::IValue> inputs) -> c10::IValue {
    std::vector<c10::IValue> outputs;
    for (const auto& [name, tensor] : function(flat_inputs(inputs, names)))
      outputs.emplace_back(to_torch(tensor));
    return c10::ivalue::Tuple::create(std::move(outputs));
  };
}

} // namespace model_validator::verify
