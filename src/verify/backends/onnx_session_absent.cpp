#include "verify/backends/onnx_session.h"

#include <model_validator/error.h>

namespace model_validator::verify {

namespace {

[[noreturn]] void fail() {
  throw Error(ErrorKind::backend_missing, "", "this program was built without ONNX Runtime",
              "run tools/setup/onnxruntime_headers.sh, install the Python package onnxruntime, and "
              "build again");
}

} // namespace

OnnxSession open_onnx(const std::filesystem::path&, const OnnxSessionOptions&) { fail(); }

std::string onnxruntime_version() { fail(); }

} // namespace model_validator::verify
