#pragma once

#include <model_validator/graph_reader.h>

namespace model_validator {

/// Reads an ONNX file. Its weights, inside it or external, are not read.
/// @throws Error (`damaged-onnx`, `too-large`, and those of InputFile)
ConnectedGraph read_onnx(const std::filesystem::path& file, const ReadOptions& options = {});

} // namespace model_validator
