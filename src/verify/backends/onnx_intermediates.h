#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace onnx {
class ModelProto;
}

namespace model_validator::verify {

/// An ONNX model whose intermediate values can be made its outputs.
class OnnxIntermediates {
public:
  /// @throws Error (`backend-refused`)
  explicit OnnxIntermediates(const std::filesystem::path& file);
  ~OnnxIntermediates();

  /// The values that the nodes of the main graph compute, in order.
  const std::vector<std::string>& names() const noexcept { return names_; }
  /// The model, serialised, with these values alone as outputs.
  std::string with_outputs(std::size_t first, std::size_t last) const;

private:
  std::unique_ptr<onnx::ModelProto> model_;
  std::vector<std::string> names_;
};

} // namespace model_validator::verify
