#pragma once

#include <cerrno>
#include <string_view>
#include <unistd.h>

namespace model_validator {

/// Writes all bytes to an open file, however often that is interrupted.
/// @returns whether it could; `errno` says why not
inline bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(file, bytes.data(), bytes.size());
    if (done < 0 && errno != EINTR) return false;
    if (done > 0) bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

} // namespace model_validator
