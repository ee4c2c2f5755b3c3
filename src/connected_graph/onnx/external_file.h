#pragma once

#include <cstdint>
#include <filesystem>
#include <onnx-ml.pb.h>

namespace model_validator::onnx_format {

/// Where the bytes of a tensor lie that are not in the model's own file.
struct ExternalPlace {
  std::filesystem::path file;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// A file that lies beside the model, or beneath.
/// @param size  bytes of the tensor, where the model does not say how many there are
/// @throws Error (`missing-weights`, `damaged-onnx`)
ExternalPlace external_place(const ::onnx::TensorProto& tensor, const std::filesystem::path& model,
                             std::uint64_t size);

} // namespace model_validator::onnx_format
