#include <model_validator/file_format.h>

namespace model_validator {

const char* to_string(FileFormat format) {
  switch (format) {
  case FileFormat::torchscript: return "torchscript";
  case FileFormat::onnx: return "onnx";
  case FileFormat::exported_program: return "exported-program";
  case FileFormat::aot_package: return "aot-package";
  case FileFormat::openvino_ir: return "openvino-ir";
  case FileFormat::litert: return "litert";
  case FileFormat::executorch: return "executorch";
  case FileFormat::unknown: break;
  }
  return "unknown";
}

} // namespace model_validator
