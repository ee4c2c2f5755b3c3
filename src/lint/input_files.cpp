#include "lint/input_files.h"

#include <algorithm>
#include <array>
#include <glob.h>
#include <memory>
#include <set>
#include <string_view>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

NamedFile missing(const std::string& name, const char* kind, const std::string& cause,
                  const std::string& hint) {
  return {name, name, Error(kind, name, cause, hint)};
}

std::vector<fs::path> models_beneath(const fs::path& folder) {
  std::vector<fs::path> found;
  const auto options = fs::directory_options::skip_permission_denied;
  std::error_code ignored;
  for (fs::recursive_directory_iterator entry(folder, options, ignored), end; entry != end;
       entry.increment(ignored))
    if (has_model_ending(entry->path()) && entry->is_regular_file(ignored))
      found.push_back(entry->path());
  std::sort(found.begin(), found.end());
  return found;
}

void add_folder(const std::string& name, std::vector<NamedFile>& inputs) {
  const auto models = models_beneath(name);
  if (models.empty())
    inputs.push_back(missing(name, "no-models", "the folder holds no models",
                             "files ending in .pt, .pth, .pt2, .ptl, .torchscript or .onnx are "
                             "looked for; name a file with another ending itself"));
  for (const fs::path& model : models) inputs.push_back({model.string(), model, {}});
}

/// The part of a pattern before its first `**`, and what follows.
std::vector<std::string> matches_across_folders(const std::string& pattern, std::size_t stars);

/// What the C library's glob finds, sorted.
std::vector<std::string> matches(const std::string& pattern) {
  if (const auto stars = pattern.find("**/"); stars != std::string::npos)
    return matches_across_folders(pattern, stars);
  glob_t result{};
  const std::unique_ptr<glob_t, decltype(&globfree)> owner(&result, &globfree);
  if (glob(pattern.c_str(), GLOB_BRACE | GLOB_TILDE, nullptr, &result) != 0) return {};
  return {result.gl_pathv, result.gl_pathv + result.gl_pathc};
}

std::vector<std::string> matches_across_folders(const std::string& pattern, std::size_t stars) {
  const std::string rest = pattern.substr(stars + 3);
  const fs::path start = stars == 0 ? fs::path(".") : fs::path(pattern.substr(0, stars));
  std::set<std::string> found;
  const auto look_in = [&](const fs::path& folder) {
    for (const std::string& match : matches((folder / rest).string())) found.insert(match);
  };
  std::error_code ignored;
  look_in(stars == 0 ? fs::path() : start);
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator entry(start, options, ignored), end; entry != end;
       entry.increment(ignored))
    if (entry->is_directory(ignored))
      look_in(stars == 0 ? entry->path().lexically_relative(".") : entry->path());
  return {found.begin(), found.end()};
}

void add_pattern(const std::string& pattern, std::vector<NamedFile>& inputs) {
  const auto found = matches(pattern);
  if (found.empty())
    inputs.push_back(missing(pattern, "not-found", "no file matches the pattern",
                             "check the spelling; `**/` crosses folders"));
  for (const std::string& match : found) {
    if (fs::is_directory(match))
      add_folder(match, inputs);
    else
      inputs.push_back({match, match, {}});
  }
}

bool is_pattern(const std::string& name) { return name.find_first_of("*?[{") != std::string::npos; }

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

bool has_model_ending(const fs::path& file) {
  static constexpr std::array<std::string_view, 6> endings{".pt",  ".pth",         ".pt2",
                                                           ".ptl", ".torchscript", ".onnx"};
  return std::find(endings.begin(), endings.end(), file.extension().string()) != endings.end();
}

std::vector<NamedFile> expand_inputs(const std::vector<std::string>& names) {
  std::vector<NamedFile> inputs;
  for (const std::string& name : names) add(name, inputs);
  std::set<std::string> seen;
  std::erase_if(inputs, [&](const NamedFile& input) { return !seen.insert(input.name).second; });
  return inputs;
}

} // namespace model_validator
