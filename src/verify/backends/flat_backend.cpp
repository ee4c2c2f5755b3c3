#include "verify/backends/flat_backend.h"

#include "verify/run/signature.h"

#include <model_validator/error.h>

#include <ATen/ATen.h>
#include <ATen/core/jit_type.h>

namespace model_validator::verify {
namespace {

bool is_whole(DType dtype) { return is_integral(dtype) && dtype != DType::bool_; }

bool can_become(DType from, DType to) {
  return (is_floating(from) && is_floating(to)) || (is_whole(from) && is_whole(to));
}

Tensor converted(const NamedTensor& input, DType dtype) {
  const at::Tensor before = to_torch(input.tensor);
  const auto type = static_cast<c10::ScalarType>(facts_of(dtype).torch);
  const at::Tensor after = before.to(type).contiguous();
  if (is_whole(dtype) && !at::equal(before, after.to(before.scalar_type())))
    throw Error(ErrorKind::bad_inputs, "",
                "the input `" + input.name + "` holds numbers beyond " + to_string(dtype) +
                    ", which the candidate's file takes");
  return to_tensor(after);
}

} // namespace

Tensor as_declared(const NamedTensor& input, std::optional<DType> declared,
                   const std::function<void(const std::string&)>& note) {
  const DType dtype = input.tensor.view.dtype;
  if (!declared || *declared == dtype || !can_become(dtype, *declared)) return input.tensor;
  if (note)
    note("the input `" + input.name + "` is given as " + to_string(*declared) +
         ", as the candidate's file declares it; the reference has it as " + to_string(dtype));
  return converted(input, *declared);
}

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
