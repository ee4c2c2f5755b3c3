#pragma once

#include "connected_graph/operator_memory.h"

#include <model_validator/connected_graph.h>

#include <optional>
#include <string_view>
#include <vector>

namespace model_validator {

/// The schema's name without its overload: `aten::add_` of `aten::add_.Tensor`.
std::string_view schema_base(std::string_view schema);

/// What an op runs: itself, unless it is a module, and the operators it stands for.
std::vector<Operator> operators_of(const Op& op);

/// The first finite number among arguments that is larger than `largest`, or smaller than its
/// negative. Those that count or place something are whole, and are not looked at.
std::optional<double> number_beyond(const std::vector<Attribute>& arguments, double largest);
/// The same among the arguments of an op, and of the operators that it stands for.
std::optional<double> number_beyond(const Op& op, double largest);

} // namespace model_validator
