#pragma once

#include "verify/backends/onnx_intermediates.h"

#include <filesystem>
#include <memory>
#include <string>

namespace model_validator::verify {

/// An ONNX model that a process works with: one of a file, which is parsed when it is first asked
/// for, or one that was made of it and lies in no file. Whatever works with a model shares it.
class OnnxModel {
public:
  explicit OnnxModel(std::filesystem::path file) : file_(std::move(file)) {}
  /// @param folder  where a large one is written all the same
  /// @throws Error (`cannot-write`)
  OnnxModel(onnx::ModelProto made, const std::filesystem::path& folder);

  /// Empty where it lies in none.
  const std::filesystem::path& file() const { return file_; }
  /// @throws Error (`backend-refused`) for a file that cannot be parsed
  std::shared_ptr<const onnx::ModelProto> proto() { return own(); }
  /// Its nodes, of a file without reading its tensors, whose numbers are then others.
  /// @throws Error of the reader
  std::shared_ptr<const onnx::ModelProto> nodes() const;
  /// @throws Error, as `proto`
  OnnxParts parts() { return parts_of(own()); }
  std::shared_ptr<const OnnxIntermediates> intermediates();
  /// What was read of its file, which is read again when it is asked for.
  void forget();

private:
  std::shared_ptr<onnx::ModelProto> own();
  std::filesystem::path file_;
  std::shared_ptr<onnx::ModelProto> proto_;
  std::shared_ptr<const OnnxIntermediates> intermediates_;
};

using SharedOnnxModel = std::shared_ptr<OnnxModel>;

} // namespace model_validator::verify
