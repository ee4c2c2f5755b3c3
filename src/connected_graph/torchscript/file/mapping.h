#pragma once

#include "files/input_file.h"

#include <cstddef>
#include <cstdint>

namespace model_validator::torchscript {

/// A private mapping of a whole file: writes to it stay in memory.
class Mapping {
public:
  /// @throws Error (`unreadable-file`)
  explicit Mapping(const InputFile& file);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  char* at(std::uint64_t offset) const noexcept { return start_ + offset; }
  bool holds(std::uint64_t offset, std::uint64_t size) const noexcept {
    return offset <= size_ && size <= size_ - offset;
  }

private:
  char* start_ = nullptr;
  std::size_t size_ = 0;
};

} // namespace model_validator::torchscript
