#include "text/nearest.h"

#include <catch2/catch.hpp>

using namespace model_validator::rules;

TEST_CASE("the nearest candidate is the one with the fewest edits") {
  CHECK(nearest("opsett", {"opset", "offset", "notes"}) == "opset");
  CHECK(nearest("dtype", {"dtypes", "date"}) == "dtypes");
  CHECK(nearest("minumum", {"maximum", "minimum"}) == "minimum");
}

TEST_CASE("nothing is near a word that resembles none") {
  CHECK(nearest("frobnicate", {"opset", "notes"}).empty());
  CHECK(nearest("anything", {}).empty());
}

TEST_CASE("a part of a name finds the whole where nothing is nearer") {
  CHECK(nearest("--format", {"--color", "--output-format"}) == "--output-format");
  CHECK(nearest("xnnpack", {"onnx", "executorch-xnnpack"}) == "executorch-xnnpack");
  CHECK(nearest("format", {"--color", "--reformat-all"}).empty());
  CHECK(nearest("--", {"--color"}).empty());
}

TEST_CASE("a suggestion names the nearest, else all") {
  CHECK(suggestion("onx", {"onnx", "tvm"}) == "did you mean `onnx`?");
  CHECK(suggestion("frobnicate", {"onnx", "tvm"}) == "choose from `onnx`, `tvm`");
  CHECK(suggestion("x", {}).empty());
}

TEST_CASE("a short word may abbreviate a longer name") {
  CHECK(nearest("trt", {"tensorrt", "tvm"}) == "tensorrt");
  CHECK(nearest("ov", {"onnx", "openvino"}) == "openvino");
  CHECK(nearest("tvn", {"tensorrt", "tvm"}) == "tvm");
  CHECK(nearest("rt", {"tensorrt"}).empty());
}

TEST_CASE("an abbreviation means the name in which its letters are closest") {
  const std::vector<std::string> targets{
      "coreml",      "executorch-xnnpack", "onnx",
      "onnx-export", "onnxruntime",        "onnxruntime-quantize",
      "openvino",    "tensorrt",           "tensorrt-rtx"};
  CHECK(nearest("ort", targets) == "onnxruntime");
  CHECK(nearest("trt", targets) == "tensorrt");
  CHECK(nearest("ov", targets) == "openvino");
  CHECK(nearest("rtx", targets) == "tensorrt-rtx");
  CHECK(nearest("xnnpack", targets) == "executorch-xnnpack");
}

TEST_CASE("a word that begins with a name means it where nothing is nearer") {
  CHECK(nearest("coremltools", {"coreml", "openvino"}) == "coreml");
  CHECK(nearest("onnxruntimes-gpu", {"onnx", "onnxruntime"}) == "onnxruntime");
  CHECK(nearest("tvmanything", {"tvm"}).empty()); // three letters begin many words
}
