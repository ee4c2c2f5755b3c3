#include "verify/backends/runtime_version.h"

#include "verify/backends/onnx_session.h"

namespace model_validator::verify {

std::string runtime_version(const std::string& backend) {
  if (backend == "onnxruntime") return onnxruntime_version();
  return backend == "openvino" ? openvino_version() : "";
}

} // namespace model_validator::verify
