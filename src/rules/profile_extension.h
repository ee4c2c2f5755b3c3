#pragma once

#include <toml++/toml.h>

#include <filesystem>

namespace model_validator::rules {

/// The file of a profile, with what it leaves out taken from the built-in one that its `[target]`
/// `extends`. Where both have a table, the file's entries replace those of the same key; where both
/// have an array of tables, the file's come after the others. Its
/// `[without]` names entries of tables that are gone, or whole keys (`refused = true`).
/// @throws Error (`bad-profile`)
toml::table parse_profile(const std::filesystem::path& file);

} // namespace model_validator::rules
