#pragma once

#include <ATen/core/ivalue.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace model_validator::torchscript {

/// Whether two dict keys or list elements are equal: strings, numbers and booleans.
bool equal_keys(const c10::IValue& a, const c10::IValue& b);

/// The position that an index of a list stands for, Python's negative ones included; nothing where
/// it is outside.
std::optional<std::size_t> position_in(std::size_t size, std::int64_t index);

/// What a node of the kind makes of a list: its sum, minimum or maximum. Nothing for other kinds,
/// and where it would raise or leave the range of integers.
std::optional<std::int64_t> summary_of(const std::vector<std::int64_t>& list, c10::Symbol kind);

} // namespace model_validator::torchscript
