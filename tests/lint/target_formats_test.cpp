#include "lint/target_formats.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("a target reads the formats that it has a table for") {
  const auto reads = [](const char* target, FileFormat format) {
    return reads_format(load_target(target), format);
  };
  CHECK(reads("onnxruntime", FileFormat::onnx));
  CHECK_FALSE(reads("onnxruntime", FileFormat::exported_program));
  CHECK_FALSE(reads("onnxruntime", FileFormat::torchscript));
  for (const FileFormat format :
       {FileFormat::onnx, FileFormat::exported_program, FileFormat::torchscript})
    CHECK(reads("openvino", format));
  CHECK(reads("tensorrt", FileFormat::onnx));
  CHECK_FALSE(reads("coreml", FileFormat::onnx));
  CHECK_FALSE(reads("aimet", FileFormat::onnx));
  CHECK_FALSE(reads("openvino", FileFormat::aot_package));
  CHECK_FALSE(reads("openvino", FileFormat::unknown));
}
