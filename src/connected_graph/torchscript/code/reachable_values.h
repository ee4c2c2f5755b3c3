#pragma once

#include <ATen/core/ivalue.h>

#include <functional>

namespace model_validator::torchscript {

/// Calls `visit` once for every object, list, dict and defined tensor reachable from a value,
/// itself included, however often it is held.
void for_each_reachable(const c10::IValue& value,
                        const std::function<void(const c10::IValue&)>& visit);

} // namespace model_validator::torchscript
