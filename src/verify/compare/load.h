#pragma once

#include "verify/compare/simd.h"

#include <model_validator/verify/tensor_view.h>

#include <cstddef>
#include <cstdint>

namespace model_validator::verify {

/// Reads `count` elements, `stride` elements apart, as float64. The data need not be aligned.
using Load = void (*)(const void* data, std::int64_t stride, double* out, std::size_t count);

/// How a real dtype is read. Complex tensors are read as their components.
Load loader_of(DType dtype);

/// candidate − reference of elements that float64 cannot hold: 64-bit integers.
using SubtractExactly = void (*)(const void* a, std::int64_t a_stride, const void* b,
                                 std::int64_t b_stride, double* out, std::size_t count);

/// Null where subtracting the float64 values is exact enough.
SubtractExactly exact_subtraction(DType reference, DType candidate);

/// Fills `block.d` from `block.a` and `block.b`.
/// @returns whether all of them, and so all elements, are finite
bool subtract(Block& block, std::size_t count);

} // namespace model_validator::verify
