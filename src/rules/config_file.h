#pragma once

#include "rules/config.h"

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator {

/// Reads a configuration file: a TOML file of its own, or the table `[tool.model_validator]` of a
/// `pyproject.toml`. Files it extends are read too.
/// @throws Error (`bad-config`) with file, line and reason
ConfigFile load_config_file(const std::filesystem::path& file,
                            ConfigOrigin origin = ConfigOrigin::named);

/// What a search for a configuration file came to.
struct NearestConfig {
  std::filesystem::path file;           ///< empty where there is none
  std::vector<std::string> passed_over; ///< those that were not taken, each with the reason
};

/// Whether others may put files into a folder without owning it, as into `/tmp`. Whoever shares it
/// would have a say in everything beneath it, so no configuration is looked for there.
bool is_shared(const std::filesystem::path& folder);

/// The nearest `model_validator.toml`, or `pyproject.toml` with a `[tool.model_validator]`, from
/// `folder` upwards, as far as the folders are not shared like `/tmp`. One that belongs to neither
/// the user nor the system is passed over, as is a link out of its folder.
NearestConfig find_config_file(const std::filesystem::path& folder);

} // namespace model_validator
