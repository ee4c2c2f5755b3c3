#include "files/moved_sources.h"

#include "files/real_path.h"

#include <algorithm>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_files = 100'000;

/// How many parts at the end of two paths are the same.
std::size_t common_end(const fs::path& a, const fs::path& b) {
  const std::vector<fs::path> parts(a.begin(), a.end());
  const std::vector<fs::path> others(b.begin(), b.end());
  const auto [end, unused] =
      std::mismatch(parts.rbegin(), parts.rend(), others.rbegin(), others.rend());
  return static_cast<std::size_t>(end - parts.rbegin());
}

/// The Python files beneath a folder, by name.
std::multimap<std::string, fs::path> python_files(const fs::path& folder) {
  std::multimap<std::string, fs::path> found;
  std::error_code error;
  std::size_t seen = 0;
  const auto quiet = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator entry(folder, quiet, error), end;
       !error && entry != end && ++seen < max_files; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.')) entry.disable_recursion_pending();
    if (name.ends_with(".py")) found.emplace(name, entry->path());
  }
  return found;
}

} // namespace

MovedSources::MovedSources(std::vector<SourceRoot> roots)
    : roots_(std::move(roots)), folder_(fs::current_path()) {}

std::vector<fs::path> MovedSources::folders() const {
  std::vector<fs::path> named;
  for (const auto& [was, is] : roots_) named.emplace_back(is);
  return named;
}

fs::path MovedSources::find(const std::string& recorded, Search search) {
  for (const auto& [old_root, new_root] : roots_)
    if (is_within(recorded, old_root))
      return fs::path(new_root) / fs::path(recorded).lexically_relative(old_root);
  if (std::error_code error; fs::path(recorded).is_absolute()
                                 ? fs::exists(recorded, error)
                                 : fs::exists(folder_ / recorded, error))
    return recorded;
  return search == Search::on ? most_like(recorded) : fs::path();
}

/// The file whose path ends most like a recorded one; none where several do. The folder is searched
/// once.
fs::path MovedSources::most_like(const fs::path& recorded) {
  if (!beneath_) beneath_ = python_files(folder_);
  fs::path best;
  std::size_t most = 0;
  bool several = false;
  const auto [first, last] = beneath_->equal_range(recorded.filename().string());
  for (auto each = first; each != last; ++each) {
    const std::size_t same = common_end(each->second, recorded);
    several = same == most;
    if (same > most) best = each->second;
    most = std::max(most, same);
  }
  return several ? fs::path() : best;
}

} // namespace model_validator
