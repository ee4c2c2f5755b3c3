#include "files/atomic_file.h"

#include "files/real_path.h"

#include <model_validator/error.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <string_view>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

constexpr mode_t file_mode = 0666;

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// In a folder that everybody may write to, such as `/tmp`, others may have put a link, a pipe or a
/// file where one is expected. As the kernel may, this takes only what the user or the owner of the
/// folder put there; for links that are followed here, the kernel cannot tell.
bool is_set_by_another(const fs::path& file) {
  struct stat status {};
  struct stat folder {};
  if (::lstat(file.c_str(), &status) != 0 || ::stat(folder_of(file).c_str(), &folder) != 0)
    return false;
  const bool shared =
      (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  return shared && status.st_uid != ::geteuid() && status.st_uid != folder.st_uid;
}

Error cannot_write(const fs::path& file, int error) {
  return Error(ErrorKind::cannot_write, file.string(),
               std::string("the file cannot be written: ") + std::strerror(error));
}

/// Follows links, so that their target is replaced, or created, and not the link.
/// @throws Error (`cannot-write`)
fs::path end_of_links(const fs::path& file) {
  const std::vector<fs::path> chain = links_from(file);
  for (const fs::path& each : chain)
    if (is_set_by_another(each))
      throw Error(ErrorKind::cannot_write, file.string(),
                  "the file cannot be written: another user has put something in its place, in a "
                  "folder that everybody may write to",
                  "name a file in a folder of your own");
  std::error_code failure;
  if (fs::is_symlink(chain.back(), failure)) throw cannot_write(file, ELOOP);
  return chain.back();
}

/// Not everything that can be opened can be synchronised.
bool synchronise(int descriptor) { return ::fsync(descriptor) == 0 || errno == EINVAL; }

bool synchronise(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return errno == EACCES; // written, though not to be read
  const bool done = synchronise(descriptor);
  ::close(descriptor);
  return done;
}

void take_rights_of(const fs::path& old, int descriptor) {
  struct stat status {};
  if (::stat(old.c_str(), &status) != 0) return;
  // A user who may write a file need not own it: then the new one is theirs.
  [[maybe_unused]] const int owned = ::fchown(descriptor, status.st_uid, status.st_gid);
  ::fchmod(descriptor, status.st_mode & 0777);
}

} // namespace

/// Writes to a descriptor, which it owns, and remembers why that failed.
class AtomicFile::Buffer final : public std::streambuf {
public:
  explicit Buffer(int descriptor) : descriptor_(descriptor) {}
  ~Buffer() override { ::close(descriptor_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  int descriptor() const noexcept { return descriptor_; }
  int error() const noexcept { return error_; }
  bool close() {
    const bool closed = ::close(std::exchange(descriptor_, -1)) == 0;
    if (!closed) error_ = errno;
    return closed;
  }

protected:
  int_type overflow(int_type character) override {
    if (traits_type::eq_int_type(character, traits_type::eof())) return 0;
    const char c = traits_type::to_char_type(character);
    return xsputn(&c, 1) == 1 ? character : traits_type::eof();
  }
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    constexpr std::size_t piece = std::size_t{1} << 16;
    pending_.append(text, static_cast<std::size_t>(count));
    return pending_.size() < piece || sync() == 0 ? count : 0;
  }
  int sync() override {
    std::string_view rest = pending_;
    while (!rest.empty() && error_ == 0) {
      const ssize_t step = ::write(descriptor_, rest.data(), rest.size());
      if (step >= 0)
        rest.remove_prefix(static_cast<std::size_t>(step));
      else if (errno != EINTR)
        error_ = errno;
    }
    pending_.clear();
    return error_ == 0 ? 0 : -1;
  }

private:
  int descriptor_;
  int error_ = 0;
  std::string pending_;
};

AtomicFile::AtomicFile(const fs::path& file) : file_(end_of_links(file)) {
  std::error_code error;
  straight_ = fs::exists(file, error) && !fs::is_regular_file(file, error);
  if (straight_) file_ = file; // a link of /proc leads to no name
  const int descriptor = straight_ ? open_straight() : open_nameless();
  if (descriptor < 0) fail(errno);
  buffer_ = std::make_unique<Buffer>(descriptor);
  stream_.rdbuf(buffer_.get());
}

AtomicFile::~AtomicFile() = default;

/// Without O_NONBLOCK a pipe that nobody reads would block here for ever.
int AtomicFile::open_straight() const {
  const int descriptor = ::open(file_.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor >= 0) ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return descriptor;
}

/// Next to the final file; in memory where the file system knows no files without names.
int AtomicFile::open_nameless() const {
  const fs::path folder = folder_of(file_);
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, file_mode);
  const bool unknown = errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL;
  if (descriptor >= 0 || !unknown || ::access(folder.c_str(), W_OK | X_OK) != 0) return descriptor;
  return ::memfd_create("result", MFD_CLOEXEC);
}

void AtomicFile::commit() {
  if (!stream_.flush()) fail(buffer_->error());
  if (!straight_) give_name();
  if (!buffer_->close()) fail(buffer_->error());
}

bool AtomicFile::commit_new() {
  stream_.flush();
  if (const int error = buffer_->error()) fail(error);
  const fs::path name = write_beside();
  const bool fresh = ::link(name.c_str(), file_.c_str()) == 0;
  const int error = errno;
  ::unlink(name.c_str());
  if (!fresh && error != EEXIST) fail(error);
  if (!synchronise(folder_of(file_))) fail(errno);
  return fresh;
}

/// @returns the name of the complete file
fs::path AtomicFile::write_beside() const {
  const int descriptor = buffer_->descriptor();
  if (!synchronise(descriptor)) fail(errno);
  take_rights_of(file_, descriptor);
  fs::path name = name_beside(file_);
  if (!link_to(name)) copy_to(name);
  return name;
}

void AtomicFile::give_name() {
  const fs::path name = write_beside();
  if (::rename(name.c_str(), file_.c_str()) != 0) {
    const int error = errno;
    ::unlink(name.c_str());
    fail(error);
  }
  if (!synchronise(folder_of(file_))) fail(errno);
}

bool AtomicFile::link_to(const fs::path& name) const {
  const std::string own = "/proc/self/fd/" + std::to_string(buffer_->descriptor());
  return ::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

void AtomicFile::copy_to(const fs::path& name) const {
  const int to = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file_mode);
  if (to < 0) fail(errno);
  off_t offset = 0;
  ssize_t step = 1;
  while (step > 0) step = ::sendfile(to, buffer_->descriptor(), &offset, std::size_t{1} << 30);
  take_rights_of(file_, to);
  const bool done = step == 0 && synchronise(to);
  const int error = errno;
  if (::close(to) == 0 && done) return;
  ::unlink(name.c_str());
  fail(done ? errno : error);
}

void AtomicFile::fail(int error) const { throw cannot_write(file_, error); }

fs::path name_beside(const fs::path& file) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  std::error_code error;
  fs::path name;
  do {
    std::string ending = ".";
    for (int i = 0; i < 6; ++i) ending += letters[random() % letters.size()];
    name = file.string() + ending;
  } while (fs::exists(fs::symlink_status(name, error)));
  return name;
}

void sync_folder(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!synchronise(entry.path())) throw cannot_write(entry.path(), errno);
  if (!synchronise(folder)) throw cannot_write(folder, errno);
}

} // namespace model_validator
