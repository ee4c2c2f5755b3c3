#pragma once

#include "rules/operator_name.h"

#include <model_validator/connected_graph.h>
#include <model_validator/target_profile.h>

namespace model_validator::rules {

/// Whether an operator is known to break the constraint at the opset judged for.
bool breaks(const OperatorConstraint& constraint, const Operator& op, const OperatorName& name,
            int opset);

} // namespace model_validator::rules
