#pragma once

#include "verify/backends/onnx_intermediates.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace model_validator::verify {

/// The ONNX models that a process works with: those of files, each parsed once, and those that it
/// makes of them, which lie in no file.
class OnnxModels {
public:
  static OnnxModels& here();

  /// @param file  one that was parsed, or the path of one that was made
  /// @throws Error (`backend-refused`) for a file that cannot be parsed
  std::shared_ptr<const onnx::ModelProto> model(const std::filesystem::path& file);
  /// @throws Error, likewise
  std::shared_ptr<const OnnxIntermediates> intermediates(const std::filesystem::path& file);
  /// Takes the place of what was made under the same path. A large one is written there.
  /// @throws Error (`cannot-write`)
  void make(const std::filesystem::path& path, onnx::ModelProto model);
  /// What was made there, serialised; empty for a file.
  std::string made(const std::filesystem::path& path) const;

private:
  struct Known {
    std::filesystem::file_time_type written = {}; ///< of a file, which may be another by now
    bool is_made = false;
    std::shared_ptr<const onnx::ModelProto> model;
    std::shared_ptr<const OnnxIntermediates> intermediates;
  };
  Known& known(const std::filesystem::path& file);
  std::map<std::filesystem::path, Known> known_;
};

} // namespace model_validator::verify
