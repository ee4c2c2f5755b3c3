#pragma once

#include <ATen/core/ivalue.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace model_validator::torchscript {

/// Whether two dict keys or list elements are equal: strings, numbers and booleans.
bool equal_keys(const c10::IValue& a, const c10::IValue& b);

/// The position that an index of a list stands for, Python's negative ones included; nothing where
/// it is outside.
std::optional<std::size_t> position_in(std::size_t size, std::int64_t index);

} // namespace model_validator::torchscript
