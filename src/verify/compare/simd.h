#pragma once

#include <cstddef>
#include <cstdint>

// One copy of the function for each width of vector unit, chosen when the program is loaded: a
// binary for every x86-64 that is fast on the newest. An attribute cannot be anything but a macro.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define MODEL_VALIDATOR_VECTORISED                                                                 \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MODEL_VALIDATOR_VECTORISED
#endif

namespace model_validator::verify {

/// How many elements are held in the first-level cache at a time, as float64.
inline constexpr std::size_t block_elements = 1024;

/// A block of a pair of tensors.
struct alignas(64) Block {
  double a[block_elements]; ///< reference
  double b[block_elements]; ///< candidate
  double d[block_elements]; ///< b − a
};

} // namespace model_validator::verify
