#include "files/new_folder.h"

#include "files/atomic_file.h"

#include <model_validator/error.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

constexpr mode_t folder_mode = 0777;
constexpr int most_tries = 100;

fs::path made_beside(const fs::path& place) {
  fs::path path = name_beside(place);
  if (::mkdir(path.c_str(), folder_mode) == 0) return path;
  throw Error(ErrorKind::cannot_write, place.string(),
              std::string("the folder cannot be created: ") + std::strerror(errno),
              "name one in an existing, writable folder");
}

/// The folder itself where a link leads to it.
fs::path behind_links(const fs::path& place) {
  std::error_code error;
  const fs::path real = fs::canonical(place, error);
  return error ? place : real;
}

} // namespace

NewFolder::NewFolder(const fs::path& place, std::stop_token stop)
    : place_(behind_links(place)), path_(made_beside(place_)),
      on_stop_(std::move(stop), [this] { remove(); }) {}

NewFolder::~NewFolder() { remove(); }

/// Somebody may still be writing into it: then there is something new to remove.
void NewFolder::remove() const noexcept {
  std::error_code error;
  for (int i = 0; i < most_tries && fs::exists(path_, error); ++i) fs::remove_all(path_, error);
}

void NewFolder::put_in_place() {
  sync_folder(path_);
  std::error_code failure;
  if (fs::exists(place_, failure)) {
    fs::permissions(path_, fs::status(place_).permissions(), failure);
    // The old one then has the temporary name, and is removed with this object.
    if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, place_.c_str(), RENAME_EXCHANGE) == 0)
      return;
    fs::remove_all(place_, failure);
  }
  fs::rename(path_, place_, failure);
  if (failure)
    throw Error(ErrorKind::cannot_write, place_.string(),
                "the folder cannot be put in place: " + failure.message());
}

} // namespace model_validator
