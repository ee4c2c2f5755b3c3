#pragma once

#include <model_validator/weights.h>

#include <filesystem>
#include <vector>

namespace model_validator {

/// Reads tensors of a model file, on all cores and in bounded memory, and says what eight bits make
/// of each: once where their range shows that they lose little, again where it does not.
/// @param enough  ratios beyond this are not computed, in dB
/// @returns a result for each query; none where the file has no floating tensor of that name
/// @throws Error (`missing-weights`, `truncated-file`, and those of the readers)
std::vector<std::optional<WeightRange>> measure_weights(const std::filesystem::path& file,
                                                        const std::vector<WeightQuery>& queries,
                                                        double enough);

} // namespace model_validator
