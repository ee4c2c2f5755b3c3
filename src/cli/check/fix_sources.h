#pragma once

#include "fixes/plan.h"
#include "fixes/python/user_files.h"
#include "lint/file_runner.h"

#include <string>
#include <vector>

namespace model_validator::cli {

/// What the command line says about the source to edit.
struct SourceChoice {
  std::string modules; ///< a package; empty: as the configuration says
  bool unsafe = false; ///< edits that are not safe are made as well
};

/// The findings that are not suppressed, with the source of each where the settings of its own
/// model say that it is now, and by one name for all models.
std::vector<Diagnostic*> findings_to_fix(std::vector<FileResult>& results);

/// The files that may be edited: those in the folders that the models' settings name.
fixes::UserFiles files_of(const std::vector<FileTask>& tasks);

/// @throws Error (`usage`) where models are to be fixed with different packages
fixes::PlanOptions plan_of(const SourceChoice& choice, const std::vector<FileTask>& tasks);

/// Writes each file atomically, and warns of those that someone else has changed meanwhile.
/// @returns the files that were left as they are @throws Error (`cannot-write`)
std::vector<std::string> commit_changes(const std::vector<fixes::FileChange>& changes);

} // namespace model_validator::cli
