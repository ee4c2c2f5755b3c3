#pragma once

#include "verify/compare/simd.h"

#include <model_validator/verify/metrics.h>

#include <array>
#include <cstdint>
#include <vector>

namespace model_validator::verify {

/// An element by its place in the order of reading.
struct PlacedElement {
  std::int64_t position = 0;
  double a = 0;
  double b = 0;
  double d = 0;
};

/// Counts of NaN and infinite elements in a part of a pair.
struct NonFiniteCounts {
  NonFinite reference;
  NonFinite candidate;
  std::int64_t mismatches = 0;
  std::int64_t nan_on_both = 0;

  void merge(const NonFiniteCounts& other);
};

/// The original place of each kept element of a cleaned block.
using Places = std::array<std::uint16_t, block_elements>;

/// Removes elements that are not finite on either side from a block, and counts them.
/// @param position    of the block's first element
/// @param samples     gets the first mismatches, up to `most`
/// @returns how many elements are left
std::size_t remove_non_finite(Block& block, std::size_t count, std::int64_t position,
                              NonFiniteCounts& counts, Places& places,
                              std::vector<PlacedElement>& samples, std::size_t most);

} // namespace model_validator::verify
