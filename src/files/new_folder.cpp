#include "files/new_folder.h"

#include "files/atomic_file.h"

#include <model_validator/error.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

constexpr mode_t folder_mode = 0777;
constexpr int max_tries = 100;

fs::path made_beside(const fs::path& place) {
  fs::path path = name_beside(place);
  if (::mkdir(path.c_str(), folder_mode) == 0) return path;
  throw Error(ErrorKind::cannot_write, place.string(),
              std::string("the folder cannot be created: ") + std::strerror(errno),
              "name one in an existing, writable folder");
}

[[noreturn]] void fail_to_place(const fs::path& place, const std::string& why) {
  throw Error(ErrorKind::cannot_write, place.string(), "the folder cannot be put in place: " + why);
}

/// Removes these files of a folder, and the folder if nothing else is in it. A link is not
/// followed.
/// @returns 0, or an error number
int remove_files(const fs::path& folder, const std::set<std::string>& names) {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) return errno;
  for (const std::string& name : names) ::unlinkat(opened, name.c_str(), 0);
  ::close(opened);
  return ::rmdir(folder.c_str()) == 0 ? 0 : errno;
}

} // namespace

NewFolder::NewFolder(const fs::path& place, std::stop_token stop)
    : place_(place.has_filename() ? place : place.parent_path()), path_(made_beside(place_)) {
  on_stop_.emplace(std::move(stop), [this] { remove(); });
}

NewFolder::~NewFolder() {
  if (on_stop_) remove();
}

/// Somebody may still be writing into it: then there is something new to remove.
void NewFolder::remove() const noexcept {
  std::error_code error;
  for (int i = 0; i < max_tries && fs::exists(path_, error); ++i) fs::remove_all(path_, error);
}

void NewFolder::put_in_place(const std::set<std::string>& replaced) {
  sync_folder(path_);
  std::error_code failure;
  if (!replaced.empty() && fs::exists(fs::symlink_status(place_, failure)))
    return put_in_place_of(replaced);
  const fs::file_status there = fs::symlink_status(place_, failure);
  if (fs::is_directory(there)) fs::permissions(path_, there.permissions(), failure);
  // Replaces an empty folder, and nothing that has appeared meanwhile.
  if (::rename(path_.c_str(), place_.c_str()) != 0) fail_to_place(place_, std::strerror(errno));
  on_stop_.reset();
}

void NewFolder::put_in_place_of(const std::set<std::string>& replaced) {
  std::error_code failure;
  fs::permissions(path_, fs::symlink_status(place_).permissions(), failure);
  if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, place_.c_str(), RENAME_EXCHANGE) != 0)
    fail_to_place(place_, std::strerror(errno));
  on_stop_.reset(); // the temporary name is now that of the old folder
  if (const int error = remove_files(path_, replaced); error != 0)
    fail_to_place(place_, "it was replaced, but what was there before is now " + path_.string() +
                              ", which cannot be removed: " + std::strerror(error));
}

} // namespace model_validator
