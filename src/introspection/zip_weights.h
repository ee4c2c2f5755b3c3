#pragma once

#include "introspection/weight_store.h"

namespace model_validator {

/// Where the tensors of a TorchScript file or exported program lie: in the order in which the
/// exporter numbered them, whatever their order in the zip.
std::vector<StoredWeights> list_zip_weights(const std::filesystem::path& file);

} // namespace model_validator
