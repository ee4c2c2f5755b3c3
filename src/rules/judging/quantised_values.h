#pragma once

#include <model_validator/quantise_plan.h>

#include <vector>

namespace model_validator::rules {

/// What becomes of a node, and what the quantiser does with such nodes.
struct JudgedNode {
  PlannedNode planned;                     ///< without its name and its operator's
  const QuantisedOperators* row = nullptr; ///< null if the quantiser does not know the operator
};

/// Goes over the nodes as a quantiser does, and marks the values that it will quantise.
/// @returns the nodes of the graph's program
std::vector<JudgedNode> judge_by_values(const ConnectedGraph& graph, const QuantiserRules& rules);

} // namespace model_validator::rules
