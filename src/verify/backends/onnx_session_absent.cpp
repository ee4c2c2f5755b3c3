#include "verify/backends/onnx_session.h"

#include <model_validator/error.h>

namespace model_validator::verify {

OnnxSession open_onnx(const std::filesystem::path&, const OnnxSessionOptions&) {
  throw Error(ErrorKind::backend_missing, "", "this program was built without ONNX Runtime",
              "run tools/setup/onnxruntime_headers.sh, install the Python package onnxruntime, and "
              "build again");
}

} // namespace model_validator::verify
