#pragma once

#include <cstdint>
#include <filesystem>
#include <onnx-ml.pb.h>
#include <string>
#include <unordered_map>

namespace model_validator::onnx_format {

/// Where the bytes of a tensor are that is stored outside the model's own file.
struct ExternalPlace {
  std::filesystem::path file;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// The files that a model keeps its tensors in, in its folder or beneath it.
class ExternalFiles {
public:
  explicit ExternalFiles(std::filesystem::path model);

  /// @param size  bytes of the tensor, used if the model does not state the number
  /// @throws Error (`missing-weights`, `damaged-onnx`)
  ExternalPlace place_of(const ::onnx::TensorProto& tensor, std::uint64_t size);

private:
  std::filesystem::path find(const ::onnx::TensorProto& tensor, const std::string& location) const;
  std::uint64_t number(const ::onnx::TensorProto& tensor, const std::string& key,
                       std::uint64_t otherwise) const;

  std::filesystem::path model_;
  std::filesystem::path folder_;      ///< the model's folder, without links
  std::filesystem::path real_folder_; ///< folder of the file that a link may lead to
  std::unordered_map<std::string, std::filesystem::path> known_;
};

} // namespace model_validator::onnx_format
