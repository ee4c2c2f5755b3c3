#pragma once

#include "lint/input_files.h"
#include "lint/settings_source.h"

#include <vector>

namespace model_validator {

/// Leaves out the files that were found, not named, and that a pattern of `exclude` fits: by their
/// name or path, or by that of a folder they are in.
/// @param may_be_all  where none is left, that is no error
/// @throws Error (`no-models`) where none is left
void leave_out_excluded(std::vector<NamedFile>& files, SettingsSource& settings,
                        bool may_be_all = false);

} // namespace model_validator
