#pragma once

#include <array>
#include <string>
#include <string_view>

namespace model_validator::rules {

/// Every operator that a version of ONNX has had in its own domains, sorted: `onnx::Relu`.
extern const std::array<std::string_view, 245> onnx_operators;

/// Whether an operator of one of ONNX's own domains is none that ONNX has.
bool is_misnamed(std::string_view schema);

/// The operator of the same domain with the nearest name, without its domain; empty where none is
/// near.
std::string nearest_operator(std::string_view schema);

} // namespace model_validator::rules
