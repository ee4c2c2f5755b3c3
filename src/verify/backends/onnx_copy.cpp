#include "verify/backends/onnx_copy.h"

#include <model_validator/error.h>

#include <algorithm>
#include <fstream>

namespace model_validator::verify {

std::optional<onnx::ModelProto> read_whole_onnx(const std::filesystem::path& file) {
  onnx::ModelProto model;
  std::ifstream stream(file, std::ios::binary);
  if (!model.ParseFromIstream(&stream))
    throw Error(ErrorKind::backend_refused, file.string(), "the ONNX file cannot be parsed");
  const auto& weights = model.graph().initializer();
  if (std::any_of(weights.begin(), weights.end(), [](const onnx::TensorProto& tensor) {
        return tensor.data_location() == onnx::TensorProto::EXTERNAL;
      }))
    return std::nullopt;
  return model;
}

void write_onnx_copy(const onnx::ModelProto& model, const std::filesystem::path& file) {
  std::ofstream out(file, std::ios::binary);
  if (!model.SerializeToOstream(&out) || !out.flush())
    throw Error(ErrorKind::cannot_write, file.string(),
                "the changed model cannot be written there");
}

} // namespace model_validator::verify
