#pragma once

#include "verify/compare/float_formats.h"
#include "verify/compare/simd.h"

#include <cstddef>
#include <cstdint>

namespace model_validator::verify {

/// The greatest number of steps between neighbouring numbers of a format, over finite elements
/// that are numbers of that format. −0 and +0 are one number.
std::uint64_t max_ulp(const Block& block, std::size_t count, const FloatFormat& format);

} // namespace model_validator::verify
