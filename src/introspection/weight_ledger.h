#pragma once

#include "introspection/weight_store.h"

#include <model_validator/weights.h>

#include <filesystem>
#include <vector>

namespace model_validator {

/// Enters the place of each tensor that lies outside the model's own file, with what its dimensions
/// need. No weights are read.
WeightLedger ledger_of(const std::vector<StoredWeights>& weights,
                       const std::filesystem::path& model);

} // namespace model_validator
