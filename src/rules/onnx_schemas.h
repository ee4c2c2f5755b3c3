#pragma once

#include <model_validator/file_rules.h>

#include <string>
#include <string_view>
#include <vector>

namespace model_validator::rules {

/// The newest opset of ONNX's own domain whose operators are known.
int newest_onnx_opset();

/// The versions of an operator, oldest first, as ONNX defines them, and those that ONNX Runtime has
/// besides, also in its own domain: `onnx::Relu`, `com.microsoft::Gelu`. None for operators of
/// other domains, or that neither defines.
std::vector<OperatorVersion> versions_in_onnx(std::string_view schema);

/// Whether a version only says that the operator is gone.
inline bool is_gone(const OperatorVersion& version) {
  return !version.takes_all && version.taken.empty();
}

/// Whether an operator of one of ONNX's own domains is none that any version of ONNX has had.
bool is_misnamed(std::string_view schema);

/// The operator of the same domain with the nearest name, without its domain; empty where none is
/// near.
std::string nearest_operator(std::string_view schema);

} // namespace model_validator::rules
