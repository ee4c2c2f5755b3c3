#include "fixes/python/user_files.h"

#include "files/installed_package.h"
#include "files/python_source.h"
#include "files/real_path.h"
#include "files/regular_file.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unistd.h>

namespace model_validator::fixes {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest = std::uint64_t{2} << 20;
constexpr std::uint64_t max_note_bytes = std::uint64_t{8} << 20; // notebooks hold pictures

constexpr std::size_t max_entries = 1'000'000; // of folders of data, too

/// Folders of what others wrote, or a program: installed packages, caches, repositories' own.
bool is_no_source(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with('.') || name == "__pycache__" || name == "node_modules" ||
         name == "site-packages" || name == "dist-packages";
}

/// Whether a line of `pyproject.toml` begins a table of ours, or ends it.
std::optional<bool> begins_own_table(std::string_view line) {
  const auto name = line.find_first_not_of("[ \t");
  if (!line.starts_with('[') || name == std::string_view::npos) return std::nullopt;
  constexpr std::string_view ours = "tool.model_validator";
  const std::string_view from = line.substr(name);
  return from.starts_with(ours) && from.find_first_of(".] \t", ours.size()) == ours.size();
}

/// A text without our own configuration, which names modules to say what is to be told of them.
std::string without_own_settings(const fs::path& path, std::string text) {
  if (path.filename() == "model_validator.toml") return {};
  if (path.filename() != "pyproject.toml") return text;
  bool ours = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    ours = begins_own_table(std::string_view(text).substr(begin, end - begin)).value_or(ours);
    if (ours) std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(begin), end - begin, ' ');
    begin = end + 1;
  }
  return text;
}

/// Whether nobody may write a file: root still could, and others could replace it.
bool is_protected(const fs::path& path) {
  constexpr auto writers =
      fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  std::error_code error;
  return (fs::status(path, error).permissions() & writers) == fs::perms::none;
}

} // namespace

UserFiles::UserFiles(std::vector<SourceRoot> roots) : moved_(std::move(roots)) {}

std::string UserFiles::refusal_of(const fs::path& path) const {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return "its source is not available";
  if (!installed_package(real.string()).empty()) return "its class belongs to an installed package";
  if (real.extension() != ".py") return "its source is not available";
  if (!is_source(real, moved_.folders()))
    return "its source lies outside the working folder; `--source-root` names other folders";
  if (is_protected(real) || ::access(real.c_str(), W_OK) != 0)
    return "its source must not be written";
  return {};
}

SourceFiles::File UserFiles::find(const std::string& recorded) {
  if (fs::path(recorded).extension() != ".py") return {recorded, {}, "its source is not available"};
  const fs::path path = moved_.find(recorded);
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
  if (!fs::is_regular_file(path, error) || !is_source(path, moved_.folders())) return std::nullopt;
  return read_regular_file(path, largest).bytes;
}

bool UserFiles::may_make(const std::string& path) {
  std::error_code error;
  return !fs::exists(fs::symlink_status(path, error));
}

fs::path UserFiles::folder_of(const fs::path& file) const {
  for (const fs::path& folder : folders())
    if (is_within(file, folder)) return folder;
  return {};
}

std::vector<fs::path> UserFiles::folders() const {
  std::vector<fs::path> all{moved_.working_folder()};
  for (const fs::path& root : moved_.folders())
    all.push_back(fs::absolute(root).lexically_normal());
  return all;
}

std::vector<std::string>
UserFiles::files_with(std::initializer_list<std::string_view> endings) const {
  std::set<std::string> found;
  for (const fs::path& folder : folders()) {
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                           error);
    for (std::size_t seen = 0; !error && entry != fs::end(entry) && seen < max_entries;
         entry.increment(error), ++seen) {
      const fs::path& path = entry->path();
      if (entry->is_directory(error)) {
        if (is_no_source(path)) entry.disable_recursion_pending();
      } else if (contains(endings, path.extension().string())) {
        found.insert(path.lexically_normal().string());
      }
    }
  }
  return {found.begin(), found.end()};
}

std::vector<std::string> UserFiles::all() {
  auto found = files_with({".py"});
  std::erase_if(found, [this](const auto& path) { return !is_source(path, moved_.folders()); });
  return found;
}

std::map<std::string, std::string> UserFiles::others() {
  std::map<std::string, std::string> texts;
  for (const std::string& path : files_with({".ipynb", ".yaml", ".yml", ".toml", ".cfg"})) {
    std::error_code error;
    if (fs::symlink_status(path, error).type() == fs::file_type::regular)
      texts.emplace(path,
                    without_own_settings(path, read_regular_file(path, max_note_bytes).bytes));
  }
  return texts;
}

} // namespace model_validator::fixes
