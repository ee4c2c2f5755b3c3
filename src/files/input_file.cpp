#include "files/input_file.h"

#include <model_validator/error.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace model_validator {
namespace {

[[noreturn]] void fail_to_open(const std::filesystem::path& path, int error) {
  switch (error) {
  case ENOENT:
  case ENOTDIR:
    if (is_url(path.string()))
      throw Error(ErrorKind::not_found, path.string(),
                  "this is a URL, and models are read from files",
                  "download it, and give the path of the file; `model_validator hub` lints the "
                  "models of a store");
    throw Error(ErrorKind::not_found, path.string(), "no such file", "check the path for a typo");
  case EACCES:
  case EPERM:
    throw Error(ErrorKind::no_permission, path.string(), "no permission to read this file",
                "change its access rights, or run as a user that may read it");
  case ENXIO:
    throw Error(ErrorKind::not_a_regular_file, path.string(), "not a regular file",
                "give the path of a saved model, or `-` to read standard input");
  default:
    throw Error(ErrorKind::unreadable_file, path.string(),
                "cannot be opened: " + std::generic_category().message(error),
                "check the path and the disk that it is on");
  }
}

void require_regular(const std::filesystem::path& path, const struct stat& status) {
  if (S_ISDIR(status.st_mode))
    throw Error(ErrorKind::is_a_folder, path.string(), "this is a folder, not a model file",
                "name a model file in it");
  if (!S_ISREG(status.st_mode))
    throw Error(ErrorKind::not_a_regular_file, path.string(), "not a regular file",
                "give the path of a saved model, or `-` to read standard input");
  if (status.st_size == 0)
    throw Error(ErrorKind::empty_file, path.string(), "the file is empty",
                "export the model again; a full disk or an interrupted download leaves such files");
}

} // namespace

bool is_url(std::string_view name) {
  const auto scheme = name.substr(0, name.find(':'));
  return scheme.size() > 1 && scheme.size() + 2 < name.size() && name[scheme.size() + 1] == '/' &&
         std::ranges::all_of(
             scheme, [](unsigned char c) { return std::isalnum(c) != 0 || c == '+' || c == '-'; });
}

InputFile::InputFile(std::filesystem::path path) : path_(std::move(path)) {
  // Without O_NONBLOCK a FIFO that nobody writes to would block here for ever.
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor_ < 0) fail_to_open(path_, errno);
  try {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) fail_to_open(path_, errno);
    require_regular(path_, status);
    size_ = static_cast<std::uint64_t>(status.st_size);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

InputFile::~InputFile() { ::close(descriptor_); }

std::size_t InputFile::read_at(std::uint64_t offset, void* to, std::size_t count) const {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t step = ::pread(descriptor_, static_cast<char*>(to) + done, count - done,
                                 static_cast<off_t>(offset + done));
    if (step < 0 && errno == EINTR) continue;
    if (step < 0)
      throw Error(ErrorKind::unreadable_file, path_.string(),
                  "cannot be read: " + std::generic_category().message(errno),
                  "check the disk or the network that it is on, or copy it to another");
    if (step == 0) break;
    done += static_cast<std::size_t>(step);
  }
  return done;
}

std::string InputFile::read_at(std::uint64_t offset, std::size_t count) const {
  std::string bytes(count, '\0');
  bytes.resize(read_at(offset, bytes.data(), count));
  return bytes;
}

} // namespace model_validator
