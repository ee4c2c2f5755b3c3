#pragma once

#include "fixes/plan.h"
#include "fixes/python/user_files.h"
#include "lint/file_runner.h"

#include <string>
#include <vector>

namespace model_validator::cli {

/// The findings that are not suppressed, with the source of each where the settings of its own
/// model say that it is now, and by one name for all models.
std::vector<Diagnostic*> findings_to_fix(std::vector<FileResult>& results);

/// The files that may be edited: those in the folders that the models' settings name.
fixes::UserFiles files_of(const std::vector<FileTask>& tasks);

/// The package whose classes stand for operations: the one that the command line names, or else the
/// configuration. @throws Error (`usage`) where that of models names different ones
std::string package_of_modules(const std::string& named, const std::vector<FileTask>& tasks);

/// Writes each file atomically, and warns of those that someone else has changed meanwhile.
/// @returns the files that were left as they are @throws Error (`cannot-write`)
std::vector<std::string> commit_changes(const std::vector<fixes::FileChange>& changes);

} // namespace model_validator::cli
