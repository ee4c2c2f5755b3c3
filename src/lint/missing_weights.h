#pragma once

#include <model_validator/lint.h>

#include <filesystem>

namespace model_validator {

/// Adds a finding where weights that an ONNX file keeps in files of their own are not there, or are
/// cut short. Weights are looked for, not read.
void add_missing_weights(const ConnectedGraph& graph, const std::filesystem::path& file,
                         ModelReport& report);

} // namespace model_validator
