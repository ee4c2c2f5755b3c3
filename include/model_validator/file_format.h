#pragma once

namespace model_validator {

/// What a file is, recognised by its content, never by its name.
enum class FileFormat {
  torchscript,
  onnx,
  exported_program,
  aot_package,
  unknown,
  openvino_ir,
  litert,
  executorch
};

/// `exported-program`, as in graphs, JSON and messages.
const char* to_string(FileFormat format);

} // namespace model_validator
