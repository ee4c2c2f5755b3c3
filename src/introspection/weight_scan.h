#pragma once

#include <model_validator/weights.h>

#include <filesystem>

namespace model_validator {

/// Reads every floating tensor of a model file once, on all cores, and reports which hold NaN or
/// infinities. What several names share is read and reported once.
/// @throws Error (`missing-weights`, `truncated-file`, and those of the readers)
WeightScan scan_weights(const std::filesystem::path& file);

} // namespace model_validator
