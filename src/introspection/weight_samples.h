#pragma once

#include "connected_graph/stored_weights.h"

#include <model_validator/weights.h>

#include <filesystem>

namespace model_validator {

/// Reads some numbers of tensors of a model file: all of small ones; of a large one, parts that lie
/// evenly over it.
/// @returns for each name; none where the file has no such tensor, or its numbers are not read
/// @throws Error (`missing-weights`, `truncated-file`, and those of the readers)
WeightSamples sample_weights(const std::filesystem::path& file,
                             const std::vector<std::string>& names);

/// The same of one file, for whoever names the tensors.
WeightSampler sampler_of(const std::filesystem::path& file);

/// The same of tensors that were listed already.
WeightSamples sample_weights(const std::vector<StoredWeights>& listed,
                             const std::vector<std::string>& names);

} // namespace model_validator
