#pragma once

#include <cstdint>

namespace model_validator {

/// A range of a file.
struct ByteSpan {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

} // namespace model_validator
