#pragma once

#include <string_view>

namespace model_validator::rules {

/// Every version of the operators of ONNX's own domain; tools/rules/onnx_schemas.py says in which
/// form.
extern const std::string_view onnx_schemas_table;

} // namespace model_validator::rules
