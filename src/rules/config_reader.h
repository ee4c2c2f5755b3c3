#pragma once

#include "rules/config.h"
#include "rules/toml_reader.h"

namespace model_validator::rules {

inline constexpr ErrorKind bad_config = ErrorKind::bad_config;

/// One file's settings, before what it extends is read.
struct ParsedConfig {
  ConfigFile file;
  std::filesystem::path extends; ///< empty: nothing
};

/// @throws Error (`bad-config`) with file, line and reason
ParsedConfig read_config(const toml::table& table, const std::filesystem::path& file,
                         ConfigOrigin origin);

} // namespace model_validator::rules
