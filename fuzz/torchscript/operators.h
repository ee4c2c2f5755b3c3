#pragma once

#include "type.h"

#include <span>
#include <string_view>

namespace fuzz {

/// Expressions that yield a type, with places for operands: $T a tensor, $i an integer, $f a real,
/// $b a boolean, $s a text, $L a list of integers, $M a list of tensors, $D a dict of tensors,
/// $O an optional tensor. Empty for a type that operators do not yield.
std::span<const std::string_view> operators_for(const Type& type);

} // namespace fuzz
