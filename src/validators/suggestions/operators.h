#pragma once

#include "connected_graph/operator_memory.h"

#include <model_validator/connected_graph.h>

#include <string_view>
#include <vector>

namespace model_validator {

/// The schema's name without its overload: `aten::add_` of `aten::add_.Tensor`.
std::string_view schema_base(std::string_view schema);

/// What an op runs: itself, unless it is a module, and the operators it stands for.
std::vector<Operator> operators_of(const Op& op);

} // namespace model_validator
