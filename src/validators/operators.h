#pragma once

#include <model_validator/connected_graph.h>

#include <string_view>
#include <vector>

namespace model_validator {

/// The schema's name without its overload: `aten::add_` of `aten::add_.Tensor`.
std::string_view schema_base(std::string_view schema);

/// Whether the operator writes into its input: `aten::add_`, but not `aten::__and__`.
bool writes_in_place(std::string_view schema);

/// Null where there is no attribute of that name.
const AttributeValue* find_attribute(const std::vector<Attribute>& attributes,
                                     std::string_view name);
/// Whether there is an attribute of that name, and it is true.
bool is_true(const std::vector<Attribute>& attributes, std::string_view name);

/// What an op runs: itself, unless it is a module, and the operators it stands for.
std::vector<Operator> operators_of(const Op& op);

} // namespace model_validator
