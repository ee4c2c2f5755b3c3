#include "rules/config_file.h"

#include "files/real_path.h"
#include "rules/config_reader.h"
#include "text/nearest.h"

#include <model_validator/data/contains.h>
#include <model_validator/error.h>

#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_chain_length = 16;
/// Nobody writes as much; what lies in a repository costs no more than this to read.
constexpr std::uint64_t max_config_size = 1U << 20U;

bool is_pyproject(const fs::path& file) { return file.filename() == "pyproject.toml"; }

toml::table parsed(const fs::path& file) {
  return rules::parse_toml(file, rules::bad_config, max_config_size);
}

const toml::table* own_table(const toml::table& content, const fs::path& file) {
  // What pip calls the package, and what else people write: settings that nobody reads would pass
  // for settings.
  for (const char* name : {"model-validator", "modelvalidator"})
    if (content["tool"][name].is_table())
      throw Error(rules::bad_config, file.string(), std::string("[tool.") + name + "] is not read",
                  "write [tool.model_validator]");
  return content["tool"]["model_validator"].as_table();
}

/// `chain` holds the files on the way here, so that a cycle is noticed.
ConfigFile load(const fs::path& file, ConfigOrigin origin, std::vector<fs::path> chain) {
  const fs::path known = real_path(file);
  if (contains(chain, known) || chain.size() > max_chain_length)
    throw Error(rules::bad_config, file.string(),
                "the file extends itself, directly or through others",
                "take `extend` out of one of them");
  chain.push_back(known);
  const toml::table content = parsed(file);
  const toml::table* table = is_pyproject(file) ? own_table(content, file) : &content;
  if (table == nullptr)
    throw Error(rules::bad_config, file.string(), "the file has no [tool.model_validator]",
                "add that table, or name a model_validator.toml");
  rules::ParsedConfig config = rules::read_config(*table, file, origin);
  if (config.extends.empty()) return std::move(config.file);
  if (!fs::exists(config.extends))
    throw Error(rules::bad_config, file.string(),
                "it extends `" + config.extends.string() + "`, which does not exist",
                "a path in `extend` is relative to the folder of the file that holds it");
  ConfigFile base = load(config.extends, origin, std::move(chain));
  std::move(config.file.layers.begin(), config.file.layers.end(), std::back_inserter(base.layers));
  std::move(config.file.per_file.begin(), config.file.per_file.end(),
            std::back_inserter(base.per_file));
  base.path = file;
  return base;
}

/// Whether a file has settings at all.
bool holds_settings(const fs::path& file) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return false;
  return !is_pyproject(file) || own_table(parsed(file), file) != nullptr;
}

bool is_trusted(uid_t owner) { return owner == ::geteuid() || owner == 0; }

/// Whose word a file is: its owner's, and the owner's of a link to it. Empty where it may be taken.
std::string refusal_of(const fs::path& file) {
  struct stat link {};
  struct stat target {};
  if (::lstat(file.c_str(), &link) != 0 || ::stat(file.c_str(), &target) != 0) return {};
  if (!is_trusted(link.st_uid) || !is_trusted(target.st_uid)) return "it belongs to another user";
  if (!lies_beneath(file, file.parent_path())) return "it is a link out of its folder";
  return {};
}

/// What is passed over may be anything.
bool seems_to_hold_settings(const fs::path& file) {
  try {
    return holds_settings(file);
  } catch (const Error&) {
    return !is_pyproject(file);
  }
}

const std::string taken_anyway = "; `--config` takes it, `--isolated` takes none";

/// Names that look like ours. Settings that nobody reads would pass for settings.
void tell_misnamed(const fs::path& folder, NearestConfig& nearest) {
  std::error_code failed;
  for (const char* name : {"model-validator.toml", "modelvalidator.toml", ".model_validator.toml",
                           ".model-validator.toml"})
    if (const fs::path file = folder / name; fs::exists(file, failed))
      nearest.passed_over.push_back("the configuration " + file.string() +
                                    " is not taken: its name must be model_validator.toml" +
                                    taken_anyway);
}

/// A table of a `pyproject.toml` whose name is nearly ours; empty where there is none.
std::string misspelt_table(const fs::path& file) {
  std::error_code failed;
  if (!is_pyproject(file) || !fs::is_regular_file(file, failed)) return {};
  const toml::table content = parsed(file);
  const toml::table* tools = content["tool"].as_table();
  if (tools == nullptr) return {};
  constexpr std::size_t shortest = 11; // shorter names are those of other tools
  for (const auto& [name, node] : *tools)
    if (const std::string_view key = name.str();
        key.size() >= shortest && !rules::nearest(key, {"model_validator"}).empty())
      return std::string(key);
  return {};
}

/// Looks at the files of one folder. @returns whether there is one to take
bool take_from(const fs::path& folder, NearestConfig& nearest) {
  tell_misnamed(folder, nearest);
  for (const char* name : {"model_validator.toml", "pyproject.toml"}) {
    const fs::path file = folder / name;
    if (const std::string refusal = refusal_of(file); !refusal.empty()) {
      if (seems_to_hold_settings(file))
        nearest.passed_over.push_back("the configuration " + file.string() +
                                      " is not taken: " + refusal + taken_anyway);
    } else if (holds_settings(file)) {
      nearest.file = file;
      return true;
    } else if (const std::string table = misspelt_table(file); !table.empty()) {
      nearest.passed_over.push_back("[tool." + table + "] in " + file.string() +
                                    " is not read: did you mean [tool.model_validator]?");
    }
  }
  return false;
}

} // namespace

bool is_shared(const fs::path& folder) {
  struct stat status {};
  constexpr mode_t others = S_IWGRP | S_IWOTH;
  return ::stat(folder.c_str(), &status) == 0 && (status.st_mode & S_ISVTX) != 0 &&
         (status.st_mode & others) != 0;
}

ConfigFile load_config_file(const fs::path& file, ConfigOrigin origin) {
  return load(file, origin, {});
}

NearestConfig find_config_file(const fs::path& folder) {
  std::error_code failed;
  NearestConfig nearest;
  fs::path at = fs::weakly_canonical(fs::absolute(folder, failed), failed);
  while (!is_shared(at) && !take_from(at, nearest) && at.has_relative_path()) at = at.parent_path();
  return nearest;
}

} // namespace model_validator
