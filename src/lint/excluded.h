#pragma once

#include "lint/input_files.h"
#include "lint/settings_source.h"

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator {

/// Whether a pattern fits a file, or a folder that it is in.
/// @param folder  that patterns start from
bool fits_file_or_folder(const std::string& pattern, const std::filesystem::path& file,
                         const std::filesystem::path& folder);

/// Leaves out the files that were found, not named, and that a pattern of `exclude` fits: by their
/// name or path, or by that of a folder they are in.
/// @param may_be_all  where none is left, that is no error
/// @throws Error (`no-models`) where none is left
void leave_out_excluded(std::vector<NamedFile>& files, SettingsSource& settings,
                        bool may_be_all = false);

} // namespace model_validator
