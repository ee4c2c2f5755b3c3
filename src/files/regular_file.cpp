#include "files/regular_file.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace model_validator {
namespace {

std::string words_for(int error) { return std::generic_category().message(error); }

FileText read_all(int descriptor, std::uint64_t most) {
  FileText text;
  std::array<char, 1 << 16> part{};
  while (text.bytes.size() <= most) {
    const ssize_t got = ::read(descriptor, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return {"", words_for(errno)};
    if (got == 0) return text;
    text.bytes.append(part.data(), static_cast<std::size_t>(got));
  }
  return {"", "larger than " + std::to_string(most >> 20) + " MiB"};
}

} // namespace

FileText read_regular_file(const std::filesystem::path& file, std::uint64_t most) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return {"", words_for(errno)};
  struct stat status {};
  const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  FileText text = regular ? read_all(descriptor, most) : FileText{"", "not a regular file"};
  ::close(descriptor);
  return text;
}

bool is_nested_deeper(std::string_view json, int most) {
  constexpr std::string_view opening = "[{", closing = "]}";
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '\\' && in_text) ++i;
    if (c == '"') in_text = !in_text;
    if (in_text) continue;
    if (opening.find(c) != opening.npos && ++depth > most) return true;
    if (closing.find(c) != closing.npos) --depth;
  }
  return false;
}

} // namespace model_validator
