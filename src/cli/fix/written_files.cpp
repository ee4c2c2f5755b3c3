#include "cli/fix/written_files.h"

#include "files/atomic_file.h"
#include "files/regular_file.h"

#include <model_validator/error.h>

#include <limits>
#include <optional>

namespace model_validator::cli {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> text_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  return read_regular_file(path, std::numeric_limits<std::uint64_t>::max()).bytes;
}

void store(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.stream() << text;
  file.commit();
}

std::optional<std::string> before(const fixes::FileChange& change) {
  return change.is_new ? std::nullopt : std::optional(change.before);
}

} // namespace

WrittenFiles::~WrittenFiles() {
  try {
    put_back();
  } catch (const std::exception&) { // the program ends for a reason that says more
  }
}

bool WrittenFiles::write(const fixes::FileChange& change) {
  if (text_of(change.path) != before(change)) return false;
  store(change.path, change.after);
  written_.push_back(change);
  return true;
}

std::vector<std::string> WrittenFiles::write(const std::vector<fixes::FileChange>& changes) {
  std::vector<std::string> left_alone;
  for (const fixes::FileChange& change : changes)
    if (!write(change)) left_alone.push_back(change.path);
  return left_alone;
}

std::vector<std::string> WrittenFiles::put_back() {
  std::vector<std::string> left_alone;
  for (; !written_.empty(); written_.pop_back()) {
    const fixes::FileChange& change = written_.back();
    if (text_of(change.path) != change.after)
      left_alone.push_back(change.path);
    else if (change.is_new)
      fs::remove(change.path);
    else
      store(change.path, change.before);
  }
  return left_alone;
}

} // namespace model_validator::cli
