#pragma once

#include <filesystem>

namespace model_validator {

/// The folder for temporary files, which TMPDIR names. @throws Error (`cannot-write`) if there is
/// none
std::filesystem::path temporary_folder();

} // namespace model_validator
