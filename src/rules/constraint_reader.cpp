#include "rules/constraint_reader.h"

#include "connected_graph/noted_use.h"

#include <type_traits>

namespace model_validator::rules {
namespace {

ConstraintValue constraint_value(const TableReader& reader, const toml::node& node) {
  if (const toml::value<bool>* flag = node.as_boolean()) return flag->get();
  if (const toml::value<std::int64_t>* whole = node.as_integer()) return whole->get();
  if (const toml::value<double>* real = node.as_floating_point()) return real->get();
  if (const toml::value<std::string>* text = node.as_string()) {
    if (text->get() == "None") return nullptr;
    return text->get();
  }
  reader.fail(node, "a value of an argument must be a boolean, a number or a string");
}

/// The items of a list, each read by `item_of(reader, node)`; none where the key is absent.
template <class ItemOf>
auto items(const TableReader& reader, std::string_view key, ItemOf item_of) {
  std::vector<std::invoke_result_t<ItemOf, const TableReader&, const toml::node&>> values;
  const toml::node* node = reader.table().get(key);
  if (node == nullptr) return values;
  if (!node->is_array()) reader.fail(*node, "`" + std::string(key) + "` must be a list");
  for (const toml::node& item : *node->as_array()) values.push_back(item_of(reader, item));
  return values;
}

int position(const TableReader& reader, const toml::node& node) {
  const int place = reader.integer_of(node, "a position");
  if (place < 0) reader.fail(node, "a position must be a whole number of at least 0");
  return place;
}

void read_of_tensors(const TableReader& reader, OperatorConstraint& constraint) {
  constraint.dtypes = reader.texts("dtypes");
  constraint.min_rank = reader.integer("min_rank");
  constraint.max_rank = reader.integer("max_rank");
  constraint.same_rank = reader.flag("same_rank");
  constraint.same_dtype = reader.flag("same_dtype");
  constraint.constant_operands = items(reader, "constant_operands", position);
  constraint.computed_operands = items(reader, "computed_operands", position);
  constraint.results = reader.integer("results");
  constraint.not_returned = reader.flag("not_returned");
}

void read_of_attribute(const TableReader& reader, OperatorConstraint& constraint) {
  constraint.attribute = reader.text("attribute");
  constraint.one_of = items(reader, "one_of", constraint_value);
  constraint.none_of = items(reader, "none_of", constraint_value);
  constraint.not_types = reader.texts("not_types");
  constraint.from_end = reader.flag("from_end");
  constraint.minimum = reader.number("minimum");
  constraint.maximum = reader.number("maximum");
  constraint.min_length = reader.integer("min_length");
  constraint.dimensions_before_pairs = reader.integer("dimensions_before_pairs");
  constraint.must_be_constant = reader.flag("must_be_constant");
}

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

void read_where(const TableReader& reader, OperatorConstraint& constraint) {
  if (const std::optional<TableReader> where = reader.child("where"))
    for (const auto& [attribute, values] : where->table())
      constraint.where[std::string(attribute.str())] = constraint_values(*where, attribute.str());
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

std::vector<ConstraintValue> constraint_values(const TableReader& reader, std::string_view key) {
  return items(reader, key, constraint_value);
}

std::vector<int> whole_numbers(const TableReader& reader, std::string_view key) {
  return items(reader, key, position);
}

OperatorConstraint read_constraint(const TableReader& reader) {
  reader.expect_only({// of operators and overloads
                      "operators", "overloads", "not_overloads",
                      // of tensors
                      "dtypes", "min_rank", "max_rank", "same_rank", "same_dtype",
                      "constant_operands", "computed_operands", "results", "not_returned",
                      // of an argument
                      "attribute", "one_of", "none_of", "not_types", "from_end", "minimum",
                      "maximum", "min_length", "dimensions_before_pairs", "must_be_constant",
                      "where",
                      // of the whole
                      "below_opset", "parts", "reason"});
  OperatorConstraint constraint;
  constraint.overloads = reader.texts("overloads");
  constraint.not_overloads = reader.texts("not_overloads");
  read_of_tensors(reader, constraint);
  read_of_attribute(reader, constraint);
  require_noted_uses(reader, constraint);
  read_where(reader, constraint);
  constraint.below_opset = reader.integer("below_opset").value_or(0);
  constraint.parts = reader.texts("parts");
  constraint.reason = reader.required_text("reason");
  if (limits_attribute(constraint) && constraint.attribute.empty())
    reader.fail(reader.table(), "a condition on an argument needs `attribute`, its name");
  const bool of_overload = !constraint.overloads.empty() || !constraint.not_overloads.empty();
  if (!limits_attribute(constraint) && !limits_tensors(constraint) && !of_overload)
    reader.fail(reader.table(), "a constraint without a condition");
  return constraint;
}

} // namespace model_validator::rules
