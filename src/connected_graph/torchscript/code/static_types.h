#pragma once

#include <ATen/core/jit_type.h>

namespace model_validator::torchscript {

/// Whether a value of this type can hold tensor data.
inline bool holds_tensor(const c10::TypePtr& type) {
  switch (type->kind()) {
  case c10::TypeKind::TensorType:
  case c10::TypeKind::AnyType:
  case c10::TypeKind::ClassType: return true;
  default: break;
  }
  for (const c10::TypePtr& inner : type->containedTypes())
    if (holds_tensor(inner)) return true;
  return false;
}

inline bool is_collection(const c10::Type& type) {
  return type.kind() == c10::TypeKind::ListType || type.kind() == c10::TypeKind::DictType;
}

/// Whether a value of this type is a list or dict, or has one inside of it.
inline bool holds_collections(const c10::TypePtr& type) {
  if (is_collection(*type)) return true;
  switch (type->kind()) {
  case c10::TypeKind::OptionalType:
  case c10::TypeKind::TupleType: break;
  default: return false;
  }
  for (const c10::TypePtr& inner : type->containedTypes())
    if (holds_collections(inner)) return true;
  return false;
}

} // namespace model_validator::torchscript
