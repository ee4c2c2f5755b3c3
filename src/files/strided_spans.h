#pragma once

#include "files/byte_span.h"

#include <cstdint>
#include <vector>

namespace model_validator {

/// Where the elements of a tensor lie in its storage.
struct StridedLayout {
  std::uint64_t offset = 0; ///< of the first element, in elements
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint64_t> strides; ///< in elements, as many as sizes
  std::uint64_t element_bytes = 1;
};

/// The bytes of the tensor, each once, in the order in which they lie. A tensor of more than 4096
/// separate runs is given as one span from its first byte to its last.
/// @returns nothing for an empty tensor, and for one beyond 64 bits
std::vector<ByteSpan> strided_spans(const StridedLayout& layout);

} // namespace model_validator
