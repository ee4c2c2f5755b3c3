#include "lint/input_files.h"

#include "connected_graph/format_table.h"
#include "connected_graph/run_only_files.h"
#include "files/input_file.h"
#include "text/plural.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <glob.h>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

NamedFile missing(const std::string& name, ErrorKind kind, const std::string& cause,
                  const std::string& hint) {
  return {name, name, Error(kind, name, cause, hint)};
}

/// Folders that tools fill, and nobody keeps models of their own in.
constexpr auto& folders_of_tools =
    word_array<".bzr .direnv .dvc .eggs .git .git-rewrite .hg .ipynb_checkpoints .mypy_cache .nox "
               ".pants.d .pyenv .pytest_cache .pytype .ruff_cache .svn .tox .venv .vscode "
               "__pycache__ __pypackages__ node_modules site-packages venv">;
static_assert(std::ranges::is_sorted(folders_of_tools));

bool is_of_a_tool(const fs::path& folder) {
  return std::ranges::binary_search(folders_of_tools, folder.filename().string());
}

/// The contents of a folder, and of those beneath it. Links to folders are not followed.
class Folder {
public:
  explicit Folder(const fs::path& folder) {
    folders_.push_back(folder);
    for (std::size_t i = 0; i < folders_.size(); ++i) list(fs::path(folders_[i]));
    std::ranges::sort(models_);
    std::ranges::sort(run_only_);
  }

  const std::vector<fs::path>& models() const noexcept { return models_; }
  /// Files that by their names hold what is run, not linted.
  const std::vector<fs::path>& run_only() const noexcept { return run_only_; }
  const std::vector<fs::path>& folders() const noexcept { return folders_; } ///< it is the first

  /// Folders that cannot be read are reported: a model in them would be missed silently.
  void report_unreadable(std::vector<NamedFile>& inputs) const {
    for (const auto& [folder, why] : unreadable_)
      inputs.push_back(missing(folder.string(), ErrorKind::unreadable_folder,
                               "the folder cannot be read: " + why.message(),
                               "change its access rights, or name the models directly"));
  }

private:
  void list(const fs::path& folder) {
    std::error_code failure;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure)) {
      if (entry->is_directory(ignored) && !entry->is_symlink(ignored))
        enter(entry->path());
      else if (has_model_ending(entry->path())) // reading says what is no regular file
        models_.push_back(entry->path());
      else if (is_run_only_by_name(entry->path()) && !entry->is_directory(ignored))
        run_only_.push_back(entry->path());
    }
    if (failure) unreadable_.emplace_back(folder, failure);
  }

  void enter(const fs::path& folder) {
    if (!is_of_a_tool(folder)) folders_.push_back(folder);
  }

  std::vector<fs::path> models_;
  std::vector<fs::path> run_only_;
  std::vector<fs::path> folders_;
  std::vector<std::pair<fs::path, std::error_code>> unreadable_;
};

/// Sorted, each with whether it is a folder; nothing where there are more than `most`, or where the
/// folder cannot be read.
std::optional<std::map<fs::path, bool>> entries_of(const fs::path& folder, std::size_t most) {
  std::error_code failure;
  std::error_code ignored;
  std::map<fs::path, bool> entries;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (entries.size() == most) return std::nullopt;
    entries[entry->path()] = entry->is_directory(ignored) && !entry->is_symlink(ignored);
  }
  return failure ? std::nullopt : std::optional(std::move(entries));
}

NamedFile no_models_in(const std::string& name, const Folder& folder) {
  if (const auto run_only = folder.run_only(); !run_only.empty())
    return missing(name, ErrorKind::no_models, "the folder holds no models that are linted",
                   "`" + run_only.front().string() + "`" +
                       (run_only.size() == 1 ? " is run by `verify`, not linted"
                                             : " and " + plural(run_only.size() - 1, "more file") +
                                                   " are run by `verify`, not linted") +
                       ": `model_validator check " + run_only.front().string() + "` says how");
  return missing(name, ErrorKind::no_models, "the folder holds no models",
                 "only files ending in .pt, .pth, .pt2, .ptl, .torchscript or .onnx are found; "
                 "name any other file directly");
}

void add_folder(const std::string& name, std::vector<NamedFile>& inputs) {
  if (auto known = known_folder(name)) return inputs.push_back({name, name, std::move(known)});
  const Folder folder(name);
  const std::size_t before = inputs.size();
  for (const fs::path& model : folder.models()) inputs.push_back({model.string(), model, {}, true});
  folder.report_unreadable(inputs);
  if (inputs.size() == before) inputs.push_back(no_models_in(name, folder));
}

/// What the C library's glob finds, sorted.
std::vector<std::string> matches(const std::string& pattern) {
  glob_t result{};
  const std::unique_ptr<glob_t, decltype(&globfree)> owner(&result, &globfree);
  if (glob(pattern.c_str(), GLOB_BRACE | GLOB_TILDE, nullptr, &result) != 0) return {};
  return {result.gl_pathv, result.gl_pathv + result.gl_pathc};
}

/// A pattern that matches exactly this name.
std::string literal(const std::string& name) {
  std::string pattern;
  for (const char c : name) {
    if (std::string_view("*?[]{}\\~").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

void match_across_folders(const std::string& pattern, std::set<std::string>& found,
                          std::vector<NamedFile>& inputs) {
  const auto stars = pattern.find("**/");
  if (stars == std::string::npos) {
    for (const std::string& match : matches(pattern)) found.insert(match);
    return;
  }
  const std::string rest = pattern.substr(stars + 3);
  const bool anywhere = stars == 0;
  for (const std::string& start : matches(anywhere ? "." : pattern.substr(0, stars))) {
    if (!fs::is_directory(start)) continue;
    const Folder all(start);
    for (const fs::path& folder : all.folders()) {
      const fs::path shown = anywhere ? folder.lexically_relative(".") : folder;
      const bool here = shown == "."; // a name does not include the current folder
      match_across_folders(here ? rest : (fs::path(literal(shown.string())) / rest).string(), found,
                           inputs);
    }
    all.report_unreadable(inputs);
  }
}

void add_pattern(const std::string& pattern, std::vector<NamedFile>& inputs) {
  std::set<std::string> found;
  const std::size_t before = inputs.size();
  match_across_folders(pattern, found, inputs);
  if (found.empty() && inputs.size() == before)
    inputs.push_back(missing(pattern, ErrorKind::not_found, "no file matches the pattern",
                             "check the spelling; `**/` crosses folders"));
  for (const std::string& match : found) {
    if (fs::is_directory(match))
      add_folder(match, inputs);
    else
      inputs.push_back({match, match, {}, true});
  }
}

bool is_pattern(const std::string& name) {
  return name.find_first_of("*?[{") != std::string::npos && !is_url(name);
}

void add(const std::string& name, std::vector<NamedFile>& inputs) {
  std::error_code ignored;
  if (name == "-")
    inputs.push_back({name, {}, {}});
  else if (fs::is_directory(name, ignored))
    add_folder(name, inputs);
  else if (is_pattern(name) && !fs::exists(name, ignored))
    add_pattern(name, inputs);
  else
    inputs.push_back({name, name, {}});
}

} // namespace

const std::vector<std::string>& model_endings() {
  static const std::vector<std::string> endings{".pt",  ".pth",         ".pt2",
                                                ".ptl", ".torchscript", ".onnx"};
  return endings;
}

bool contains_ending(const std::string& ending) { return contains(model_endings(), ending); }

bool has_model_ending(const fs::path& file) { return contains_ending(file.extension().string()); }

FolderContents files_beneath(const fs::path& folder, std::size_t max_entries) {
  FolderContents contents;
  std::vector<fs::path> folders{folder};
  for (std::size_t i = 0; i < folders.size(); ++i) {
    // A folder with more is left out as a whole: which of its entries came first would be chance.
    const auto entries = entries_of(folders[i], max_entries);
    contents.complete = contents.complete && entries;
    if (!entries) continue;
    max_entries -= entries->size();
    for (const auto& [entry, is_folder] : *entries) {
      if (!is_folder) contents.files.push_back(entry);
      if (is_folder && !is_of_a_tool(entry)) folders.push_back(entry);
    }
  }
  return contents;
}

std::vector<NamedFile> expand_inputs(const std::vector<std::string>& names, bool as_found) {
  std::vector<NamedFile> inputs;
  for (const std::string& name : names) add(name, inputs);
  std::set<std::string> named;
  for (const NamedFile& input : inputs)
    if (!input.found) named.insert(input.name);
  std::set<std::string> seen;
  std::erase_if(inputs, [&](const NamedFile& input) { return !seen.insert(input.name).second; });
  for (NamedFile& input : inputs) input.found = as_found || !named.contains(input.name);
  return inputs;
}

} // namespace model_validator
