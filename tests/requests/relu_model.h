#pragma once

#include <string>

namespace model_validator::test {

inline std::string field(int number, const std::string& bytes) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}

/// An ONNX model of one Relu, from `x` to `y`, in the bytes of its format: IR version 8, opset 17.
inline std::string relu_model() {
  const auto port = [](const std::string& name) {
    const std::string dimension("\x0a\x02\x08\x02", 4);
    const std::string type("\x0a\x08\x08\x01\x12\x04", 6);
    return field(1, name) + field(2, type + dimension);
  };
  const std::string node = field(1, "x") + field(2, "y") + field(4, "Relu");
  const std::string graph =
      field(1, node) + field(2, "main") + field(11, port("x")) + field(12, port("y"));
  const std::string opset("\x10\x11", 2);
  return std::string("\x08\x08", 2) + field(7, graph) + field(8, opset);
}

} // namespace model_validator::test
