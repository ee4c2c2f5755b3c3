#pragma once

#include <cstddef>
#include <cstdint>

namespace model_validator::verify {

/// N float64 numbers that are computed with at once: the compiler's vector extension, which every
/// target lowers to the registers it has.
template <std::size_t N> struct LanesOf {
  typedef double Reals __attribute__((vector_size(N * sizeof(double)), may_alias, aligned(8)));
  typedef std::int64_t Integers __attribute__((vector_size(N * sizeof(double)), may_alias));
};

} // namespace model_validator::verify
