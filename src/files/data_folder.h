#pragma once

#include <filesystem>

namespace model_validator {

/// Where the data of this library lies, wherever it was installed: `rules/`, and `commands/`, the
/// programs for `verify --command`. Empty where it is not found.
std::filesystem::path data_folder();

} // namespace model_validator
