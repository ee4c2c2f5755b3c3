#include "rules/constraint_reader.h"

#include "connected_graph/noted_use.h"

namespace model_validator::rules {
namespace {

/// A word that no front end notes would be a constraint that nothing ever breaks.
void require_noted_uses(const TableReader& reader, const OperatorConstraint& constraint) {
  if (constraint.attribute != "use") return;
  for (const auto* values : {&constraint.one_of, &constraint.none_of})
    for (const ConstraintValue& value : *values) {
      const auto* word = std::get_if<std::string>(&value);
      if (word == nullptr || !is_noted_use(*word))
        reader.fail(reader.table(), "a value of `use` that no model has" +
                                        (word == nullptr ? "" : ": `" + *word + "`"));
    }
}

bool limits_attribute(const OperatorConstraint& constraint) {
  return !constraint.one_of.empty() || !constraint.none_of.empty() ||
         !constraint.not_types.empty() || constraint.minimum || constraint.maximum ||
         constraint.min_length || constraint.dimensions_before_pairs || constraint.must_be_constant;
}

bool limits_tensors(const OperatorConstraint& constraint) {
  return !constraint.dtypes.empty() || constraint.min_rank || constraint.max_rank ||
         constraint.same_rank || constraint.same_dtype || !constraint.constant_operands.empty() ||
         !constraint.computed_operands.empty() || constraint.results || constraint.not_returned;
}

} // namespace

OperatorConstraint read_constraint(const TableReader& reader) {
  OperatorConstraint constraint;
  reader.read({
      // of operators and overloads
      {"operators"},
      {"overloads", constraint.overloads},
      {"not_overloads", constraint.not_overloads},
      // of tensors
      {"dtypes", constraint.dtypes},
      {"min_rank", constraint.min_rank},
      {"max_rank", constraint.max_rank},
      {"same_rank", constraint.same_rank},
      {"same_dtype", constraint.same_dtype},
      {"constant_operands", constraint.constant_operands},
      {"computed_operands", constraint.computed_operands},
      {"results", constraint.results},
      {"not_returned", constraint.not_returned},
      // of an argument
      {"attribute", constraint.attribute},
      {"one_of", constraint.one_of},
      {"none_of", constraint.none_of},
      {"not_types", constraint.not_types},
      {"from_end", constraint.from_end},
      {"minimum", constraint.minimum},
      {"maximum", constraint.maximum},
      {"min_length", constraint.min_length},
      {"dimensions_before_pairs", constraint.dimensions_before_pairs},
      {"must_be_constant", constraint.must_be_constant},
      {"where", constraint.where},
      // of the whole
      {"below_opset", constraint.below_opset},
      {"parts", constraint.parts},
      Member::required("reason", constraint.reason),
  });
  require_noted_uses(reader, constraint);
  if (limits_attribute(constraint) && constraint.attribute.empty())
    reader.fail(reader.table(), "a condition on an argument needs `attribute`, its name");
  const bool of_overload = !constraint.overloads.empty() || !constraint.not_overloads.empty();
  if (!limits_attribute(constraint) && !limits_tensors(constraint) && !of_overload)
    reader.fail(reader.table(), "a constraint without a condition");
  return constraint;
}

} // namespace model_validator::rules
