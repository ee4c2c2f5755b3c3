#include "verify/run/tensor_tree.h"

#include <ATen/Functions.h>

namespace model_validator::verify {
namespace {

bool is_list_of_scalars(const c10::IValue& value) {
  return value.isIntList() || value.isDoubleList() || value.isBoolList();
}

c10::IValue map_tuple(const c10::IValue& value, const TensorMap& map) {
  std::vector<c10::IValue> elements;
  for (const auto& element : value.toTupleRef().elements())
    elements.push_back(map_tensors(element, map));
  return tuple_like(value, std::move(elements));
}

c10::IValue map_list(const c10::IValue& value, const TensorMap& map) {
  const auto list = value.toList();
  c10::impl::GenericList result(list.elementType());
  for (const c10::IValue& element : value.toListRef()) result.push_back(map_tensors(element, map));
  return result;
}

c10::IValue map_dict(const c10::IValue& value, const TensorMap& map) {
  const auto dict = value.toGenericDict();
  c10::impl::GenericDict result(dict.keyType(), dict.valueType());
  for (const auto& item : dict) result.insert(item.key(), map_tensors(item.value(), map));
  return result;
}

/// Null for a tuple without a name. LibTorch makes up the type of such a tuple from its elements,
/// which fails for an undefined tensor.
std::shared_ptr<c10::TupleType> named_type_of(const c10::ivalue::Tuple& tuple) {
  try {
    const auto type = tuple.type<c10::TupleType>();
    return type && type->schema() ? type : nullptr;
  } catch (const c10::Error&) {
    return nullptr;
  }
}

} // namespace

void for_each_tensor(const c10::IValue& value, const TensorVisitor& visit) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) visit(value.toTensor());
  } else if (value.isTuple()) {
    for (const auto& element : value.toTupleRef().elements()) for_each_tensor(element, visit);
  } else if (value.isList() && !is_list_of_scalars(value)) {
    for (const c10::IValue& element : value.toListRef()) for_each_tensor(element, visit);
  } else if (value.isGenericDict()) {
    for (const auto& item : value.toGenericDict()) for_each_tensor(item.value(), visit);
  }
}

bool any_tensor(const c10::IValue& value, const std::function<bool(const at::Tensor&)>& asked) {
  bool found = false;
  for_each_tensor(value, [&](const at::Tensor& tensor) { found = found || asked(tensor); });
  return found;
}

bool holds_tensor(const c10::IValue& value) {
  return any_tensor(value, [](const at::Tensor&) { return true; });
}

bool identical(const at::Tensor& left, const at::Tensor& right) {
  if (left.scalar_type() != right.scalar_type() || !left.sizes().equals(right.sizes()))
    return false;
  if (!left.is_floating_point() && !left.is_complex()) return left.equal(right);
  return at::allclose(left, right, 0, 0, true);
}

c10::IValue map_tensors(const c10::IValue& value, const TensorMap& map) {
  if (value.isTensor()) return value.toTensor().defined() ? map(value.toTensor()) : value;
  if (!holds_tensor(value)) return value;
  if (value.isTuple()) return map_tuple(value, map);
  if (value.isList()) return map_list(value, map);
  return map_dict(value, map);
}

c10::IValue tuple_like(const c10::IValue& value, std::vector<c10::IValue> elements) {
  const auto type = named_type_of(value.toTupleRef());
  return type ? c10::ivalue::Tuple::createNamed(std::move(elements), type)
              : c10::ivalue::Tuple::create(std::move(elements));
}

c10::IValue clone_tensors(const c10::IValue& value) {
  return map_tensors(value, [](const at::Tensor& tensor) { return tensor.clone(); });
}

} // namespace model_validator::verify
