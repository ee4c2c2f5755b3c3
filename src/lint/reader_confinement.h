#pragma once

#include "files/process/model_reading.h"

#include <filesystem>
#include <vector>

namespace model_validator {

/// As `confinement_for_reading`, for the readers of this program: they also read its own tables of
/// operators that LibTorch does not know.
process::Confinement confinement_of_reader(const std::vector<std::filesystem::path>& models,
                                           std::vector<std::filesystem::path> beside,
                                           const process::ReadingPolicy& policy);

} // namespace model_validator
