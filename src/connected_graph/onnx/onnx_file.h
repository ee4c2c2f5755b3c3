#pragma once

#include "connected_graph/onnx/wire_filter.h"
#include "files/input_file.h"

#include <filesystem>
#include <onnx-ml.pb.h>
#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// An ONNX file, parsed except for the bytes of its tensors, its nodes sorted.
struct OnnxFile {
  /// @throws Error (`damaged-onnx`, `too-large`, and those of InputFile)
  explicit OnnxFile(const std::filesystem::path& path);

  InputFile file;
  FilteredModel filtered; ///< its `bytes` are released
  ::onnx::ModelProto model;
  std::vector<std::string> unordered; ///< bodies and functions whose nodes were not
};

} // namespace model_validator::onnx_format
