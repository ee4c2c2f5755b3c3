#pragma once

#include "rules/operator_name.h"

#include <model_validator/connected_graph.h>
#include <model_validator/target_profile.h>

#include <vector>

namespace model_validator::rules {

/// The tensors that an operator takes, by position; what is not known of one stays empty.
using TensorTypes = std::vector<TensorType>;

/// Whether an operator is known to break the constraint at the opset judged for.
bool breaks(const OperatorConstraint& constraint, const Operator& op, const OperatorName& name,
            int opset, const TensorTypes& operands = {});

} // namespace model_validator::rules
