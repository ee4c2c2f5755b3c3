#include "files/folder_lock.h"

#include <model_validator/error.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace model_validator {
namespace {

constexpr std::chrono::milliseconds pause{10};

/// 0, or the error number.
int lock_within(int descriptor, std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return errno;
    if (std::chrono::steady_clock::now() > end) return EWOULDBLOCK;
    std::this_thread::sleep_for(pause);
  }
  return 0;
}

} // namespace

FolderLock::FolderLock(const std::filesystem::path& folder, std::chrono::milliseconds patience)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  const int error = descriptor_ < 0 ? errno : lock_within(descriptor_, patience);
  if (error == 0) return;
  if (descriptor_ >= 0) ::close(descriptor_);
  throw Error(ErrorKind::cannot_write, folder.string(),
              error == EWOULDBLOCK
                  ? "another run keeps the folder locked"
                  : std::string("the folder cannot be locked: ") + std::strerror(error),
              "wait for other runs to end");
}

FolderLock::~FolderLock() { ::close(descriptor_); }

} // namespace model_validator
