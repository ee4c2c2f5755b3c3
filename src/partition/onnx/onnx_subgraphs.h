#pragma once

#include "partition/onnx/onnx_program.h"

#include <model_validator/partition/manifest.h>

#include <filesystem>

namespace model_validator::partition {

/// Writes the partitions of an ONNX model as separate ONNX files.
/// @throws Error (`cannot-divide`) if the type of a value that would pass from subgraph to subgraph
/// is unknown, or a subgraph is too large for the format; (`missing-weights`, `cannot-write`)
Manifest write_onnx_subgraphs(const OnnxProgram& program, const Plan& plan,
                              const std::filesystem::path& folder);

} // namespace model_validator::partition
