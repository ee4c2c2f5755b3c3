#include "fixes/user_files.h"

#include "files/python_source.h"
#include "files/real_path.h"
#include "files/regular_file.h"

#include <algorithm>
#include <unistd.h>

namespace model_validator::fixes {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest = std::uint64_t{2} << 20;
constexpr std::size_t most_files = 100'000;

bool is_installed(const fs::path& path) {
  return std::any_of(path.begin(), path.end(), [](const fs::path& part) {
    return part == "site-packages" || part == "dist-packages";
  });
}

/// Whether nobody may write a file: root still could, and others could replace it.
bool is_protected(const fs::path& path) {
  constexpr auto writers =
      fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  std::error_code error;
  return (fs::status(path, error).permissions() & writers) == fs::perms::none;
}

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
       !error && entry != end && ++seen < most_files; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.')) entry.disable_recursion_pending();
    if (name.ends_with(".py")) found.emplace(name, entry->path());
  }
  return found;
}

} // namespace

UserFiles::UserFiles(std::vector<SourceRoot> roots, Search search)
    : roots_(std::move(roots)), search_(search), folder_(fs::current_path()) {}

fs::path UserFiles::moved(const std::string& recorded) {
  for (const auto& [old_root, new_root] : roots_)
    if (is_within(recorded, old_root))
      return fs::path(new_root) / fs::path(recorded).lexically_relative(old_root);
  if (std::error_code error; fs::path(recorded).is_absolute()
                                 ? fs::exists(recorded, error)
                                 : fs::exists(folder_ / recorded, error))
    return recorded;
  return search_ == Search::on ? most_like(recorded) : fs::path();
}

/// The file whose path ends most like a recorded one; none where several do. The folder is searched
/// once.
fs::path UserFiles::most_like(const fs::path& recorded) {
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

std::string UserFiles::refusal_of(const fs::path& path) const {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return "its source is not available";
  if (is_installed(real)) return "its class belongs to an installed package";
  if (real.extension() != ".py") return "its source is not available";
  if (!is_source(real, folders()))
    return "its source lies outside the working folder; `--source-root` names other folders";
  if (is_protected(real) || ::access(real.c_str(), W_OK) != 0)
    return "its source must not be written";
  return {};
}

std::vector<fs::path> UserFiles::folders() const {
  std::vector<fs::path> named;
  for (const SourceRoot& root : roots_) named.emplace_back(root.second);
  return named;
}

SourceFiles::File UserFiles::find(const std::string& recorded) {
  if (fs::path(recorded).extension() != ".py") return {recorded, {}, "its source is not available"};
  const fs::path path = moved(recorded);
  if (path.empty()) return {recorded, {}, "its source is not available"};
  File file{fs::absolute(path).lexically_normal().string(), {}, refusal_of(path)};
  if (!file.refusal.empty()) return file;
  const auto text = read(file.path);
  if (!text) file.refusal = "its source cannot be read";
  file.text = text.value_or(std::string());
  return file;
}

std::optional<std::string> UserFiles::read(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || !is_source(path, folders())) return std::nullopt;
  return read_regular_file(path, largest).bytes;
}

} // namespace model_validator::fixes
