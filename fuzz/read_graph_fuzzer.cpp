// Reads whatever it is given as a model. An Error is an answer; anything else that ends the read is a bug.
//
// Bytes that start with the marker are records to be put into a zip, `marker name newline content` for each: a fuzzer does
// not find its way through checksums. Other bytes are the file itself.
#include "support/zip_file.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr std::string_view marker = "\xff#record ";

std::string zip_of(std::string_view records) {
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

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const bool records = bytes.substr(0, marker.size()) == marker;
  const MemoryFile file(records ? zip_of(bytes) : std::string(bytes));
  try {
    model_validator::read_graph(file.path());
  } catch (const model_validator::Error&) {
  }
  return 0;
}
