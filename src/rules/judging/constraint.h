#pragma once

#include "rules/judging/operator_name.h"

#include <model_validator/connected_graph.h>
#include <model_validator/target_profile.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace model_validator::rules {

/// Tensors by position; unknown parts of one stay empty.
using TensorTypes = std::vector<TensorType>;

/// What is known of the tensors that one op takes and yields.
struct Operands {
  TensorTypes types;
  TensorTypes results;
  std::vector<std::size_t> inputs; ///< positions at which it takes an input of the model
  /// Whether the operand at a position depends on the model's inputs: asked only if a constraint
  /// mentions it, because it walks the graph. Empty where nothing is known.
  std::function<bool(std::size_t position)> depends_on_inputs;
  bool returned = false;        ///< whether a result is an output of the model
  std::size_t results_used = 0; ///< the number of the last result that is used, counted from 1
};

/// Whether a value is none of these, or one of its items is none where it is a list.
bool any_item_is_none(const std::vector<ConstraintValue>& values, const AttributeValue& value);
/// Whether a value is one of these, or one of its items where it is a list.
bool any_item_is(const std::vector<ConstraintValue>& values, const AttributeValue& value);

/// Whether an operator is known to break the constraint at the opset judged for.
bool breaks(const OperatorConstraint& constraint, const Operator& op, const OperatorName& name,
            int opset, const Operands& operands = {});

/// Whether everything that the constraint depends on is known: an operator that breaks it is
/// decided, one that does not may still break it.
bool is_decided(const OperatorConstraint& constraint, const Operator& op, int opset,
                const Operands& operands);

} // namespace model_validator::rules
