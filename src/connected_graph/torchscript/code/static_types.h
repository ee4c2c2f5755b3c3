#pragma once

#include <model_validator/data/contains.h>

#include <ATen/core/jit_type.h>

#include <array>

namespace model_validator::torchscript {

/// Whether values of this type are numbers or words, or nothing at all.
inline bool is_plain(const c10::Type& type) {
  constexpr std::array plain{c10::TypeKind::IntType,    c10::TypeKind::FloatType,
                             c10::TypeKind::BoolType,   c10::TypeKind::ComplexType,
                             c10::TypeKind::StringType, c10::TypeKind::DeviceObjType,
                             c10::TypeKind::NoneType};
  return model_validator::contains(plain, type.kind());
}

/// Whether a value of this type can hold tensor data.
inline bool holds_tensor(const c10::TypePtr& type) {
  constexpr std::array kinds{c10::TypeKind::TensorType, c10::TypeKind::AnyType,
                             c10::TypeKind::ClassType};
  if (model_validator::contains(kinds, type->kind())) return true;
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
  constexpr std::array wrapping{c10::TypeKind::OptionalType, c10::TypeKind::TupleType};
  if (!model_validator::contains(wrapping, type->kind())) return false;
  for (const c10::TypePtr& inner : type->containedTypes())
    if (holds_collections(inner)) return true;
  return false;
}

} // namespace model_validator::torchscript
