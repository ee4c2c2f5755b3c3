#pragma once

#include "connected_graph/format_table.h"

#include <model_validator/graph_reader.h>

namespace model_validator {

/// Reads an ONNX file. Its weights, inside it or external, are not read.
/// @throws Error (`damaged-onnx`, `too-large`, and those of InputFile)
ConnectedGraph read_onnx(const std::filesystem::path& file, const ReadOptions& options = {});

/// The names that an ONNX file gives to the sizes of its inputs. @throws Error as above
InputSizeNames name_onnx_sizes(const std::filesystem::path& file);

} // namespace model_validator
