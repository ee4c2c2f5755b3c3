#pragma once

#include "connected_graph/stored_weights.h"

#include <filesystem>
#include <vector>

namespace model_validator {

/// The floating tensors of a TorchScript file by the paths of the attributes that hold them; traced
/// constants are `CONSTANTS.c0`. LibTorch is not needed.
/// @throws Error (`damaged-file`, and those of ZipArchive)
std::vector<StoredWeights> list_torchscript_weights(const std::filesystem::path& file);

/// The tensors of all kinds, under every name that a tensor has. @throws Error, as above
std::vector<StoredWeights> list_torchscript_tensors(const std::filesystem::path& file);

/// The tensors of all kinds that the attributes of a TorchScript file hold, under every name that a
/// tensor has: two that share their storage have the same `entry`. @throws Error, as above
std::vector<StoredWeights> list_torchscript_state(const std::filesystem::path& file);

} // namespace model_validator
