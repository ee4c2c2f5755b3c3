#include "lint/standard_input.h"

#include "files/temporary_folder.h"
#include "files/write_all.h"

#include <model_validator/error.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

namespace model_validator {
namespace {

[[noreturn]] void fail(ErrorKind kind, const std::string& cause) {
  throw Error(kind, "-", cause + ": " + std::strerror(errno));
}

std::size_t read_some(int from, std::vector<char>& buffer) {
  ssize_t got = 0;
  do got = ::read(from, buffer.data(), buffer.size());
  while (got < 0 && errno == EINTR);
  if (got < 0) fail(ErrorKind::cannot_read, "standard input cannot be read");
  return static_cast<std::size_t>(got);
}

} // namespace

StandardInput::StandardInput(int descriptor, std::uint64_t limit) {
  std::string name = (temporary_folder() / "model_validator-XXXXXX").string();
  const int file = ::mkstemp(name.data());
  if (file < 0)
    fail(ErrorKind::cannot_write, "no temporary file can be created for standard input");
  path_ = name;
  try {
    copy(descriptor, file, limit);
  } catch (...) {
    ::close(file);
    ::unlink(path_.c_str());
    throw;
  }
  ::close(file);
}

StandardInput::~StandardInput() { ::unlink(path_.c_str()); }

void StandardInput::copy(int from, int to, std::uint64_t limit) const {
  std::vector<char> buffer(std::size_t{1} << 20);
  std::uint64_t total = 0;
  while (const std::size_t got = read_some(from, buffer)) {
    total += got;
    if (total > limit)
      throw Error(ErrorKind::too_large, "-",
                  "standard input is larger than " + std::to_string(limit >> 20) + " MiB",
                  "save the model to a file and name that");
    if (!write_all(to, {buffer.data(), got}))
      fail(ErrorKind::cannot_write, "standard input cannot be kept in a temporary file");
  }
}

} // namespace model_validator
