#pragma once

#include "introspection/non_finite.h"
#include "introspection/weight_store.h"

#include <model_validator/weights.h>

#include <filesystem>
#include <vector>

namespace model_validator {

/// Reads tensors of a file once, on all cores, and counts in each.
std::vector<NonFiniteCount> count_non_finite(const std::vector<StoredWeights>& tensors);

/// Reads every floating tensor of a model file once, on all cores, and reports which hold NaN or
/// infinities. What several names share is read and reported once.
/// @throws Error (`missing-weights`, `truncated-file`, and those of the readers)
WeightScan scan_weights(const std::filesystem::path& file);

} // namespace model_validator
