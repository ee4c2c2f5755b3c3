#pragma once

#include <model_validator/program.h>

#include <string_view>

namespace model_validator {

/// What an operator does with quantised numbers, by its schema in any format (`onnx::QLinearConv`,
/// `aten::fake_quantize_per_tensor_affine`) or by ONNX's bare name of it.
QuantisedRole quantised_role(std::string_view schema);

/// Whether operators of the role have a scale and a zero point, by which they store numbers.
bool has_parameters(QuantisedRole role);

/// How the result of an operator is stored, or its operand was, by the operator's own arguments.
std::shared_ptr<const Quantisation> quantisation_in(const std::vector<Attribute>& arguments);

/// The role of an op, or of the last operator that it stands for and that has one.
struct RoleOfOp {
  QuantisedRole role = QuantisedRole::other;
  const std::vector<Attribute>* arguments = nullptr; ///< of the operator with the role
};
RoleOfOp quantised_role(const Op& op);

/// Whether the op, or an operator that it stands for, has a role.
bool is_quantised(const Op& op);

} // namespace model_validator
