#pragma once

#include <model_validator/node_flow.h>

#include <string_view>

namespace model_validator {

/// What an operator does with quantised numbers, by its schema in any format (`onnx::QLinearConv`,
/// `aten::fake_quantize_per_tensor_affine`) or by ONNX's bare name of it.
QuantisedRole quantised_role(std::string_view schema);

/// Whether the op, or an operator that it stands for, has a role.
bool is_quantised(const Op& op);

} // namespace model_validator
