#pragma once

#include "support/zip_file.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace fuzz {

/// Begins a record that is to be put into a zip, `marker name newline content`: a fuzzer does not
/// find its way through checksums.
inline constexpr std::string_view marker = "\xff#record ";

inline std::string zip_of(std::string_view records) {
  model_validator::test::ZipFile zip;
  while (!records.empty()) {
    records.remove_prefix(marker.size());
    const auto end = records.find(marker);
    const std::string_view record = records.substr(0, end);
    const auto line = record.find('\n');
    if (line != std::string_view::npos)
      zip.add("net/" + std::string(record.substr(0, line)), std::string(record.substr(line + 1)));
    records = end == std::string_view::npos ? std::string_view() : records.substr(end);
  }
  return zip.bytes();
}

/// The bytes of the file that a fuzzer means: records in a zip, or the file itself.
inline std::string file_of(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  return bytes.substr(0, marker.size()) == marker ? zip_of(bytes) : std::string(bytes);
}

/// A file that lives in memory.
class MemoryFile {
public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("model", MFD_CLOEXEC)) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written <= 0) break;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
  int descriptor_;
};

} // namespace fuzz
