#include "connected_graph/torchscript/file/value_checks.h"

namespace model_validator::torchscript {

bool fits(const c10::IValue& value, const c10::Type& type) {
  switch (type.kind()) {
  case c10::TypeKind::OptionalType:
    return value.isNone() || fits(value, *type.expectRef<c10::OptionalType>().getElementType());
  case c10::TypeKind::TensorType: return value.isTensor() || value.isNone();
  case c10::TypeKind::BoolType: return value.isBool();
  case c10::TypeKind::IntType: return value.isInt();
  case c10::TypeKind::FloatType: return value.isDouble();
  case c10::TypeKind::StringType: return value.isString();
  case c10::TypeKind::ListType: return value.isList();
  case c10::TypeKind::DictType: return value.isGenericDict();
  case c10::TypeKind::TupleType: return value.isTuple();
  case c10::TypeKind::ClassType: return value.isObject() && *value.toObjectRef().type() == type;
  default: return true;
  }
}

} // namespace model_validator::torchscript
