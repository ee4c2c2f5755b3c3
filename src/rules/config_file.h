#pragma once

#include "rules/config.h"

namespace model_validator {

/// Reads a configuration file: a TOML file of its own, or the table `[tool.model_validator]` of a
/// `pyproject.toml`. Files it extends are read too.
/// @throws Error (`bad-config`) with file, line and reason
ConfigFile load_config_file(const std::filesystem::path& file);

/// The nearest `model_validator.toml`, or `pyproject.toml` with a `[tool.model_validator]`, from
/// `folder` upwards; empty where there is none.
std::filesystem::path find_config_file(const std::filesystem::path& folder);

} // namespace model_validator
