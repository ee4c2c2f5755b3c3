#pragma once

#include <onnx-ml.pb.h>
#include <string>

namespace model_validator::onnx_format {

/// Whether a domain is that of ONNX's own operators.
inline bool is_default_domain(const std::string& domain) {
  return domain.empty() || domain == "ai.onnx";
}

/// `onnx::Conv`, `com.microsoft::Gelu`
inline std::string schema_of(const ::onnx::NodeProto& node) {
  return (is_default_domain(node.domain()) ? "onnx" : node.domain()) + "::" + node.op_type();
}

} // namespace model_validator::onnx_format
