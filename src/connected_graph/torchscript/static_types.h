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

} // namespace model_validator::torchscript
