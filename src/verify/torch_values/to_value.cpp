#include <model_validator/error.h>
#include <model_validator/verify/verify.h>

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include <sstream>

namespace model_validator::verify {

namespace {

std::vector<std::string> field_names(const c10::ivalue::Tuple& tuple) {
  const auto type = tuple.type();
  std::vector<std::string> names;
  if (type->schema() != nullptr)
    for (const c10::Argument& field : type->schema()->arguments()) names.push_back(field.name());
  return names;
}

Sequence sequence_of(c10::ArrayRef<c10::IValue> items, std::vector<std::string> names) {
  Sequence sequence{{}, std::move(names)};
  for (const c10::IValue& item : items) sequence.items.push_back(to_value(item));
  return sequence;
}

std::string key_of(const c10::IValue& key) {
  if (key.isString()) return key.toStringRef();
  std::ostringstream text;
  text << key;
  return text.str();
}

Dict dict_of(const c10::Dict<c10::IValue, c10::IValue>& items) {
  Dict dict;
  for (const auto& item : items)
    dict.items.emplace_back(key_of(item.key()), to_value(item.value()));
  return dict;
}

Dict attributes_of(const c10::ivalue::Object& object) {
  Dict dict;
  for (std::size_t i = 0; i < object.type()->numAttributes(); ++i)
    dict.items.emplace_back(object.type()->getAttributeName(i), to_value(object.getSlot(i)));
  return dict;
}

Value complex_value(c10::complex<double> number) {
  return {make_tensor(DType::complex128, {}, &number)};
}

} // namespace

Value to_value(const c10::IValue& value) {
  if (value.isNone()) return {None{}};
  if (value.isTensor()) {
    if (!value.toTensor().defined()) return {None{}};
    return {to_tensor(value.toTensor())};
  }
  if (value.isBool()) return {value.toBool()};
  if (value.isInt()) return {value.toInt()};
  if (value.isDouble()) return {value.toDouble()};
  if (value.isComplexDouble()) return complex_value(value.toComplexDouble());
  if (value.isString()) return {value.toStringRef()};
  if (value.isDevice()) return {value.toDevice().str()};
  if (value.isTuple()) {
    const c10::ivalue::Tuple& tuple = value.toTupleRef();
    return {sequence_of(tuple.elements(), field_names(tuple))};
  }
  if (value.isList()) return {sequence_of(value.toListRef(), {})};
  if (value.isGenericDict()) return {dict_of(value.toGenericDict())};
  if (value.isObject()) return {attributes_of(value.toObjectRef())};
  throw Error(ErrorKind::unsupported_value, "", "a " + value.tagKind() + " cannot be compared",
              "make the model return dense tensors, numbers, strings, lists, tuples and dicts");
}

std::vector<c10::IValue> clone_inputs(const std::vector<c10::IValue>& inputs) {
  c10::IValue::HashIdentityIValueMap seen; // a tensor that is given twice stays one
  std::vector<c10::IValue> clones;
  clones.reserve(inputs.size());
  for (const c10::IValue& input : inputs) clones.push_back(input.deepcopy(seen));
  return clones;
}

} // namespace model_validator::verify
