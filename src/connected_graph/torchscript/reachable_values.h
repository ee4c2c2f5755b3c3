#pragma once

#include <ATen/core/ivalue.h>

#include <functional>

namespace model_validator::torchscript {

/// Calls `visit` once with every object, list, dict and defined tensor that can be reached from a
/// value, itself included. However often one is held, it is one.
void for_each_reachable(const c10::IValue& value,
                        const std::function<void(const c10::IValue&)>& visit);

} // namespace model_validator::torchscript
