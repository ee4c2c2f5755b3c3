#include "verify/backends/openvino/types.h"

#include <model_validator/error.h>

#include <openvino/frontend/decoder.hpp>

#include <map>

namespace model_validator::verify {
namespace {

namespace front_end_type = ov::frontend::type;

const std::map<c10::ScalarType, ov::element::Type>& element_types() {
  static const std::map<c10::ScalarType, ov::element::Type> table{
      {c10::kFloat, ov::element::f32},  {c10::kDouble, ov::element::f64},
      {c10::kHalf, ov::element::f16},   {c10::kBFloat16, ov::element::bf16},
      {c10::kLong, ov::element::i64},   {c10::kInt, ov::element::i32},
      {c10::kShort, ov::element::i16},  {c10::kChar, ov::element::i8},
      {c10::kByte, ov::element::u8},    {c10::kBool, ov::element::boolean},
      {c10::kUInt16, ov::element::u16}, {c10::kUInt32, ov::element::u32},
      {c10::kUInt64, ov::element::u64}};
  return table;
}

ov::Any scalar(const ov::element::Type& type) { return front_end_type::PyScalar(ov::Any(type)); }

ov::Any tensor(const c10::TypePtr& type) {
  const auto dtype = type->expect<c10::TensorType>()->scalarType();
  if (dtype && c10::isComplexType(*dtype))
    return front_end_type::Complex(ov::Any(to_openvino(c10::toRealValueType(*dtype))));
  return front_end_type::Tensor(ov::Any(dtype ? to_openvino(*dtype) : ov::element::dynamic));
}

} // namespace

ov::element::Type to_openvino(c10::ScalarType type) {
  const auto found = element_types().find(type);
  if (found != element_types().end()) return found->second;
  throw Error(ErrorKind::backend_refused, "",
              std::string("OpenVINO has no tensors of ") + c10::toString(type));
}

c10::ScalarType to_torch(const ov::element::Type& type) {
  for (const auto& [torch_type, openvino_type] : element_types())
    if (openvino_type == type) return torch_type;
  throw Error(ErrorKind::unsupported_value, "",
              "LibTorch has no tensors of OpenVINO's type " + type.get_type_name());
}

ov::Any describe_type(const c10::TypePtr& type) {
  switch (type->kind()) {
  case c10::TypeKind::TensorType: return tensor(type);
  case c10::TypeKind::IntType: return scalar(ov::element::i64);
  case c10::TypeKind::FloatType: return scalar(ov::element::f32);
  case c10::TypeKind::BoolType: return scalar(ov::element::boolean);
  case c10::TypeKind::ListType:
    return front_end_type::List(describe_type(type->expect<c10::ListType>()->getElementType()));
  case c10::TypeKind::OptionalType:
    return describe_type(type->expect<c10::OptionalType>()->getElementType());
  case c10::TypeKind::StringType:
  case c10::TypeKind::DeviceObjType: return front_end_type::Str();
  case c10::TypeKind::NoneType: return front_end_type::PyNone();
  default: return ov::element::Type(ov::element::dynamic);
  }
}

} // namespace model_validator::verify
