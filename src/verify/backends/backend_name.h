#pragma once

#include <string>

namespace model_validator::verify {

/// `onnxruntime` of `onnxruntime:CUDAExecutionProvider`.
inline std::string name_of_backend(const std::string& text) {
  return text.substr(0, text.find(':'));
}

/// `CUDAExecutionProvider`; empty where none is named.
inline std::string provider_of_backend(const std::string& text) {
  const auto colon = text.find(':');
  return colon == text.npos ? "" : text.substr(colon + 1);
}

} // namespace model_validator::verify
