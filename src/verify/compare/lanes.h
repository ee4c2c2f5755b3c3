#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

// An attribute cannot be anything but a macro: a kernel is one loop, whatever it is written in.
#define MODEL_VALIDATOR_INLINE inline __attribute__((always_inline))

namespace model_validator::verify {

/// T at any address, which may alias any type.
template <class T> struct UnalignedOf { typedef T type __attribute__((aligned(1), may_alias)); };
template <class T> using Unaligned = typename UnalignedOf<T>::type;

/// N numbers that one instruction computes with: the compiler's vector extension, which every
/// target lowers to the registers it has.
template <class T, std::size_t N> struct LanesOf {
  typedef T type __attribute__((vector_size(N * sizeof(T))));
};
template <class T, std::size_t N> using Lanes = typename LanesOf<T, N>::type;

template <class T, std::size_t N>
MODEL_VALIDATOR_INLINE Lanes<T, N> load_lanes(const Unaligned<T>* from) {
  Lanes<T, N> lanes;
  __builtin_memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

// Not the standard library's functions: copies of them, compiled for finite numbers only, could be
// linked in elsewhere. For numbers and for lanes of them alike.
template <class T> MODEL_VALIDATOR_INLINE T larger(T x, T y) { return x > y ? x : y; }
template <class T> MODEL_VALIDATOR_INLINE T smaller(T x, T y) { return x < y ? x : y; }

} // namespace model_validator::verify
