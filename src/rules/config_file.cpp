#include "rules/config_file.h"

#include "rules/config_reader.h"

#include <model_validator/error.h>

#include <algorithm>
#include <iterator>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_chain = 16;

bool is_pyproject(const fs::path& file) { return file.filename() == "pyproject.toml"; }

const toml::table* own_table(const toml::table& content) {
  return content["tool"]["model_validator"].as_table();
}

/// `chain` holds the files on the way here, so that a cycle is noticed.
ConfigFile load(const fs::path& file, std::vector<fs::path> chain) {
  const fs::path known = fs::weakly_canonical(file);
  if (std::find(chain.begin(), chain.end(), known) != chain.end() || chain.size() > longest_chain)
    throw Error(rules::bad_config, file.string(),
                "the file extends itself, directly or through others",
                "take `extend` out of one of them");
  chain.push_back(known);
  const toml::table content = rules::parse_toml(file, rules::bad_config);
  const toml::table* table = is_pyproject(file) ? own_table(content) : &content;
  if (table == nullptr)
    throw Error(rules::bad_config, file.string(), "the file has no [tool.model_validator]",
                "add that table, or name a model_validator.toml");
  rules::ParsedConfig parsed = rules::read_config(*table, file);
  if (parsed.extends.empty()) return std::move(parsed.file);
  if (!fs::exists(parsed.extends))
    throw Error(rules::bad_config, file.string(),
                "it extends `" + parsed.extends.string() + "`, which does not exist",
                "a path in `extend` is relative to the folder of the file that holds it");
  ConfigFile base = load(parsed.extends, std::move(chain));
  std::move(parsed.file.layers.begin(), parsed.file.layers.end(), std::back_inserter(base.layers));
  std::move(parsed.file.per_file.begin(), parsed.file.per_file.end(),
            std::back_inserter(base.per_file));
  base.path = file;
  return base;
}

bool holds_settings(const fs::path& file) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return false;
  return !is_pyproject(file) || own_table(rules::parse_toml(file, rules::bad_config)) != nullptr;
}

} // namespace

ConfigFile load_config_file(const fs::path& file) { return load(file, {}); }

fs::path find_config_file(const fs::path& folder) {
  std::error_code failed;
  fs::path at = fs::weakly_canonical(fs::absolute(folder, failed), failed);
  while (true) {
    for (const char* name : {"model_validator.toml", "pyproject.toml"})
      if (holds_settings(at / name)) return at / name;
    if (!at.has_relative_path()) return {};
    at = at.parent_path();
  }
}

} // namespace model_validator
