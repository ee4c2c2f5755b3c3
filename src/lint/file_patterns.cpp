#include "lint/file_patterns.h"

#include "files/real_path.h"
#include "lint/excluded.h"
#include "lint/input_files.h"
#include "text/nearest.h"

#include <algorithm>
#include <set>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

/// Beyond that nobody waits to be told of a mistake.
constexpr std::size_t max_entries = 20'000;

fs::path working_folder() {
  std::error_code failed;
  return fs::current_path(failed);
}

std::vector<fs::path> roots_of(const fs::path& file, ConfigOrigin origin) {
  std::error_code failed;
  const fs::path folder = fs::absolute(file, failed).lexically_normal().parent_path();
  if (origin == ConfigOrigin::found) return {folder};
  const fs::path here = working_folder();
  return is_within(folder, here) && folder != here ? std::vector{here, folder} : std::vector{here};
}

int line_of(const Config& layer, const std::string& key) {
  const auto line = layer.lines.find(key);
  return line == layer.lines.end() ? 0 : line->second;
}

class Patterns {
public:
  explicit Patterns(std::vector<fs::path> roots) : roots_(std::move(roots)) {}

  void add(const std::string& pattern, const std::string& key, const SourceLocation& where) {
    found_.push_back({pattern, key, where, roots_});
  }
  void add(const Config& layer, const std::string& key, const std::vector<std::string>& patterns) {
    const std::string file = layer.origin == "command line" ? "" : layer.origin;
    for (const std::string& pattern : patterns)
      add(pattern, key, {file, line_of(layer, key), 0, 0});
  }
  std::vector<FilePattern> take() { return std::move(found_); }

private:
  std::vector<fs::path> roots_;
  std::vector<FilePattern> found_;
};

/// Files of a kind, of which there may be none today: `*.onnx`. A pattern of whole paths is for
/// runs that name them so.
bool is_of_a_kind(const std::string& pattern) {
  return pattern == "*" || pattern.starts_with('/') ||
         (pattern.starts_with("*.") && contains_ending(pattern.substr(1)));
}

bool fits(const FilePattern& pattern, const std::string& words, const fs::path& file,
          const fs::path& folder) {
  return pattern.key == "exclude" ? fits_file_or_folder(words, file, folder)
                                  : pattern_fits(words, file, folder);
}

bool fits_in_run(const FilePattern& pattern, const std::string& words, const fs::path& file) {
  const fs::path origin = pattern.where.file;
  return fits(pattern, words, file, origin.empty() ? fs::path(".") : origin.parent_path());
}

/// What a pattern may have been meant to fit.
class Candidates {
public:
  Candidates(const FilePattern& pattern, const std::vector<fs::path>& run)
      : pattern_(pattern), run_(run) {
    for (const fs::path& root : pattern.roots) {
      const FolderContents contents = files_beneath(root, max_entries);
      complete_ = complete_ && contents.complete;
      for (const fs::path& file : contents.files) files_.push_back(file.lexically_relative(root));
    }
  }

  bool complete() const { return complete_; }
  bool any(const std::string& words) const {
    return std::ranges::any_of(
               files_, [&](const fs::path& each) { return fits(pattern_, words, each, "."); }) ||
           std::ranges::any_of(
               run_, [&](const fs::path& each) { return fits_in_run(pattern_, words, each); });
  }

  /// `did you mean `*.onnx`?`; empty where nothing is near.
  std::string suggestion() const {
    for (const std::string& words :
         {beneath_any(), with_ending(), of_folder(), in_folder(), name()})
      if (!words.empty() && words != pattern_.pattern) return "did you mean `" + words + "`?";
    return {};
  }

private:
  /// `**/` needs a folder here.
  std::string beneath_any() const {
    const std::string& words = pattern_.pattern;
    return words.starts_with("**/") && any(words.substr(3)) ? words.substr(3) : "";
  }
  std::string with_ending() const {
    const auto dot = pattern_.pattern.rfind('.');
    if (dot == std::string::npos) return {};
    const std::string ending = pattern_.pattern.substr(dot);
    if (contains_ending(ending) || ending.find_first_of("*?[/") != std::string::npos) return {};
    const std::string near = rules::nearest(ending, model_endings());
    return near.empty() ? near : pattern_.pattern.substr(0, dot) + near;
  }
  /// Where a folder stands for its files, its name is enough; elsewhere it is not.
  std::string of_folder() const {
    std::string words = pattern_.pattern;
    if (words.ends_with('/')) words.pop_back();
    return any(words + "/*") ? words + "/*" : "";
  }
  std::string in_folder() const {
    const auto slash = pattern_.pattern.rfind('/');
    if (slash == std::string::npos) return {};
    std::set<std::string> folders;
    for (const fs::path& file : files_)
      if (has_model_ending(file)) folders.insert(file.parent_path().string());
    const std::string near =
        rules::nearest(pattern_.pattern.substr(0, slash), {folders.begin(), folders.end()});
    const std::string words = near + pattern_.pattern.substr(slash);
    return !near.empty() && any(words) ? words : "";
  }
  std::string name() const {
    const bool of_paths = pattern_.pattern.find('/') != std::string::npos;
    std::set<std::string> names;
    for (const fs::path& file : files_)
      if (has_model_ending(file)) names.insert((of_paths ? file : file.filename()).string());
    return rules::nearest(pattern_.pattern, {names.begin(), names.end()});
  }

  const FilePattern& pattern_;
  const std::vector<fs::path>& run_;
  std::vector<fs::path> files_; ///< from their roots
  bool complete_ = true;
};

std::string place_of(const FilePattern& pattern) {
  if (pattern.where.file.empty()) return "`--" + pattern.key + "`";
  return pattern.where.file + ":" + std::to_string(pattern.where.line);
}

} // namespace

std::vector<FilePattern> patterns_of(const ConfigFile& file, ConfigOrigin origin) {
  Patterns patterns(roots_of(file.path, origin));
  const Config& own = file.layers.back();
  patterns.add(own, "exclude", own.exclude.value_or(std::vector<std::string>{}));
  for (const PerFileConfig& part : file.per_file)
    if (part.config.origin == own.origin) patterns.add(part.config, "files", part.files);
  for (const auto& entry : own.suppressions)
    if (!entry->model.empty()) patterns.add(entry->model, "model", entry->where);
  return patterns.take();
}

std::vector<FilePattern> patterns_of(const Config& command_line) {
  Patterns patterns({working_folder()});
  patterns.add(command_line, "exclude", command_line.exclude.value_or(std::vector<std::string>{}));
  return patterns.take();
}

LogEntries log_of_patterns(const std::vector<FilePattern>& patterns,
                           const std::vector<fs::path>& files) {
  LogEntries entries;
  std::set<std::pair<std::string, std::string>> told;
  for (const FilePattern& each : patterns) {
    if (is_of_a_kind(each.pattern) || !told.emplace(place_of(each), each.pattern).second) continue;
    const auto fits_it = [&](const fs::path& file) {
      return fits_in_run(each, each.pattern, file);
    };
    if (std::ranges::any_of(files, fits_it)) continue;
    const Candidates candidates(each, files);
    if (!candidates.complete() || candidates.any(each.pattern)) continue;
    const std::string help = candidates.suggestion();
    entries.push_back({LogLevel::warning, place_of(each) + ": no file fits `" + each.pattern +
                                              "` of `" + each.key + "`" +
                                              (help.empty() ? "" : "; " + help)});
  }
  return entries;
}

} // namespace model_validator
