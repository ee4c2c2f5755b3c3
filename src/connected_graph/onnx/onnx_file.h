#pragma once

#include "connected_graph/onnx/wire_filter.h"
#include "files/input_file.h"

#include <cstdint>
#include <filesystem>
#include <onnx-ml.pb.h>
#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// What a file says in two ways, or not at all, where one runtime takes the first and another the
/// second or refuses it.
struct Ambiguity {
  const char* kind; ///< of the form
  std::string sentence;
};

/// Who may be handed an ambiguous file.
enum class Readings : std::uint8_t { one, any };

/// An ONNX file, parsed except for the bytes of its tensors, its nodes sorted.
struct OnnxFile {
  /// @throws Error (`damaged-onnx`, `too-large`, and those of InputFile)
  explicit OnnxFile(const std::filesystem::path& path, Readings readings = Readings::one);

  InputFile file;
  FilteredModel filtered; ///< its `bytes` are released
  ::onnx::ModelProto model;
  std::vector<std::string> unordered; ///< bodies and functions whose nodes were not
  std::vector<Ambiguity> ambiguities;
};

} // namespace model_validator::onnx_format
