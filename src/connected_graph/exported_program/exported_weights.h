#pragma once

#include "connected_graph/stored_weights.h"

#include <filesystem>
#include <vector>

namespace model_validator {

/// Where the tensors of an exported program are stored, by their names in its signature. Pickled
/// ones have no dtype and no place.
/// @throws Error (those of ProgramFile)
std::vector<StoredWeights> list_exported_weights(const std::filesystem::path& file);

} // namespace model_validator
