#include "report/atomic_file.h"

#include <model_validator/error.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace model_validator {
namespace {

/// Follows a link, so that its target is replaced and not the link.
std::filesystem::path real_place(const std::filesystem::path& file) {
  std::error_code error;
  const auto real = std::filesystem::canonical(file, error);
  return error ? file : real;
}

/// mkstemp makes files that only their owner can read; a report is like any other new file.
void give_usual_permissions(int descriptor) {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor, 0666 & ~mask);
}

} // namespace

AtomicFile::AtomicFile(std::filesystem::path file) : file_(real_place(file)) {
  std::error_code error;
  if (std::filesystem::exists(file_, error) && !std::filesystem::is_regular_file(file_, error)) {
    temporary_ = file_; // a pipe or a device is written straight
  } else {
    std::string name = file_.string() + ".XXXXXX";
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) fail();
    give_usual_permissions(descriptor);
    ::close(descriptor);
    temporary_ = name;
  }
  stream_.open(temporary_, std::ios::binary);
  if (!stream_) fail();
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty() && temporary_ != file_) ::unlink(temporary_.c_str());
}

void AtomicFile::commit() {
  stream_.close();
  if (!stream_) fail();
  if (temporary_ != file_ && ::rename(temporary_.c_str(), file_.c_str()) != 0) fail();
  temporary_.clear();
}

void AtomicFile::fail() const {
  throw Error("cannot-write", file_.string(),
              std::string("the file cannot be written: ") + std::strerror(errno));
}

} // namespace model_validator
