#include "requests/model_bytes.h"

#include "files/temporary_folder.h"
#include "files/write_all.h"

#include <model_validator/error.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace model_validator {
namespace {

[[noreturn]] void fail() {
  throw Error(ErrorKind::cannot_write, "",
              std::string("the bytes of the model cannot be put where readers find them: ") +
                  std::strerror(errno));
}

} // namespace

ModelBytes::ModelBytes(const void* bytes, std::size_t size, Seen seen)
    : temporary_(seen == Seen::by_others) {
  if (temporary_) {
    std::string name = (temporary_folder() / "model_validator-XXXXXX").string();
    file_ = ::mkostemp(name.data(), O_CLOEXEC);
    path_ = name;
  } else {
    file_ = ::memfd_create("model", MFD_CLOEXEC);
    path_ = "/proc/self/fd/" + std::to_string(file_);
  }
  if (file_ < 0) fail();
  if (write_all(file_, {static_cast<const char*>(bytes), size})) return;
  const int failed = errno;
  ::close(file_);
  if (temporary_) ::unlink(path_.c_str());
  errno = failed;
  fail();
}

ModelBytes::~ModelBytes() {
  ::close(file_);
  if (temporary_) ::unlink(path_.c_str());
}

} // namespace model_validator
