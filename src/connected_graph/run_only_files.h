#pragma once

#include <filesystem>

namespace model_validator {

/// Whether a file is, by its name, a model that is run, not linted. Defined beside what is said of
/// such files.
bool is_run_only_by_name(const std::filesystem::path& file);

} // namespace model_validator
