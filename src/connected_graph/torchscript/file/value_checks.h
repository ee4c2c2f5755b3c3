#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

namespace model_validator::torchscript {

/// Whether an attribute of this type can hold this value, judging by its outermost kind. LibTorch
/// puts into an object whatever the file says.
bool fits(const c10::IValue& value, const c10::Type& type);

} // namespace model_validator::torchscript
