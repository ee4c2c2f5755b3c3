#include "rules/judging/constraint.h"

#include "connected_graph/attributes.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <functional>
#include <string_view>

namespace model_validator::rules {
namespace {

/// The items of a list, or the value itself.
std::vector<AttributeValue> items_of(const AttributeValue& value) {
  return std::visit(
      [](const auto& held) -> std::vector<AttributeValue> {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, std::vector<bool>>)
          return [&held] {
            std::vector<AttributeValue> items;
            for (const bool item : held) items.emplace_back(item);
            return items;
          }();
        else if constexpr (requires { typename T::value_type; } && !std::is_same_v<T, std::string>)
          return {held.begin(), held.end()};
        else
          return {AttributeValue{held}};
      },
      value);
}

std::optional<double> number_of(const AttributeValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

bool equal(const ConstraintValue& expected, const AttributeValue& value) {
  if (std::holds_alternative<std::nullptr_t>(expected))
    return std::holds_alternative<std::monostate>(value);
  if (const auto* flag = std::get_if<bool>(&expected)) return value == AttributeValue{*flag};
  if (const auto* text = std::get_if<std::string>(&expected)) return value == AttributeValue{*text};
  const double wanted = std::holds_alternative<double>(expected)
                            ? std::get<double>(expected)
                            : static_cast<double>(std::get<std::int64_t>(expected));
  return number_of(value) == wanted;
}

bool one_of(const std::vector<ConstraintValue>& values, const AttributeValue& value) {
  return std::ranges::any_of(values,
                             [&value](const ConstraintValue& each) { return equal(each, value); });
}

std::string_view type_of(const AttributeValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return "None";
  if (std::holds_alternative<bool>(value)) return "boolean";
  if (std::holds_alternative<std::int64_t>(value)) return "integer";
  if (std::holds_alternative<double>(value)) return "real";
  return "string";
}

bool breaks_value(const OperatorConstraint& constraint, const AttributeValue& value) {
  if (contains(constraint.not_types, type_of(value))) return true;
  if (!constraint.one_of.empty() && !one_of(constraint.one_of, value)) return true;
  if (one_of(constraint.none_of, value)) return true;
  const std::optional<double> number = number_of(value);
  return number && ((constraint.minimum && *number < *constraint.minimum) ||
                    (constraint.maximum && *number > *constraint.maximum));
}

/// A dimension counted from the end of the first result; nothing where its rank is not known.
std::optional<AttributeValue> from_end(const AttributeValue& value, const Operands& operands) {
  const auto* dimension = std::get_if<std::int64_t>(&value);
  if (dimension == nullptr || *dimension < 0) return value;
  if (operands.results.empty() || !operands.results.front().shape) return std::nullopt;
  return AttributeValue{*dimension -
                        static_cast<std::int64_t>(operands.results.front().shape->size())};
}

/// Whether the opset and the arguments are those that the constraint names.
bool is_meant(const OperatorConstraint& constraint, const Operator& op, int opset) {
  if (constraint.below_opset > 0 && opset >= constraint.below_opset) return false;
  return std::ranges::all_of(constraint.where, [&op](const auto& where) {
    const AttributeValue* value = find_attribute(op.attributes, where.first);
    return value != nullptr && any_item_is(where.second, *value);
  });
}

/// Whether the first tensor has too few dimensions for a list of pairs.
bool breaks_pairs(const OperatorConstraint& constraint, std::size_t items,
                  const Operands& operands) {
  if (!constraint.dimensions_before_pairs || operands.types.empty() ||
      !operands.types.front().shape)
    return false;
  return operands.types.front().shape->size() <
         items / 2 + static_cast<std::size_t>(*constraint.dimensions_before_pairs);
}

bool breaks_attribute(const OperatorConstraint& constraint, const Operator& op,
                      const Operands& operands) {
  const AttributeValue* found = find_attribute(op.attributes, constraint.attribute);
  if (found == nullptr) return constraint.must_be_constant;
  const std::vector<AttributeValue> items = items_of(*found);
  if (constraint.min_length && items.size() < static_cast<std::size_t>(*constraint.min_length))
    return true;
  if (breaks_pairs(constraint, items.size(), operands)) return true;
  return std::ranges::any_of(items, [&](const AttributeValue& item) {
    if (!constraint.from_end) return breaks_value(constraint, item);
    const std::optional<AttributeValue> counted = from_end(item, operands);
    return counted && breaks_value(constraint, *counted);
  });
}

bool breaks_dtype(const OperatorConstraint& constraint, const std::vector<std::string>& dtypes) {
  return std::ranges::any_of(dtypes, [&constraint](const std::string& dtype) {
    return !dtype.empty() && !contains(constraint.dtypes, dtype);
  });
}

std::vector<std::string> dtypes_of(const TensorTypes& tensors) {
  std::vector<std::string> dtypes;
  for (const TensorType& tensor : tensors) dtypes.push_back(tensor.dtype);
  return dtypes;
}

template <class T> bool differ(const std::vector<T>& values) {
  return std::ranges::adjacent_find(values, std::not_equal_to()) != values.end();
}

bool mixes_dtypes(const Operands& operands) {
  std::vector<std::string> dtypes = dtypes_of(operands.types);
  for (std::string& dtype : dtypes_of(operands.results)) dtypes.push_back(std::move(dtype));
  std::erase(dtypes, "");
  return differ(dtypes);
}

bool takes_input(const std::vector<int>& positions, const Operands& operands) {
  return std::ranges::any_of(
      positions, [&operands](int position) { return contains(operands.inputs, position); });
}

bool depends_on_inputs(const std::vector<int>& positions, const Operands& operands) {
  return operands.depends_on_inputs && std::ranges::any_of(positions, operands.depends_on_inputs);
}

/// Numbers of dimensions; -1 where unknown.
std::vector<int> ranks_of(const TensorTypes& operands) {
  std::vector<int> ranks;
  for (const TensorType& operand : operands)
    ranks.push_back(operand.shape ? static_cast<int>(operand.shape->size()) : -1);
  return ranks;
}

bool breaks_rank(const OperatorConstraint& constraint, std::vector<int> ranks) {
  if (!ranks.empty() && ranks.front() >= 0 &&
      (ranks.front() < constraint.min_rank.value_or(ranks.front()) ||
       ranks.front() > constraint.max_rank.value_or(ranks.front())))
    return true;
  std::erase(ranks, -1);
  return constraint.same_rank && differ(ranks);
}

bool breaks_tensors(const OperatorConstraint& constraint, const Operator& op,
                    const Operands& operands) {
  if (breaks_rank(constraint, ranks_of(operands.types))) return true;
  if (!constraint.dtypes.empty() &&
      (breaks_dtype(constraint, op.dtypes) || breaks_dtype(constraint, dtypes_of(operands.types))))
    return true;
  if (constraint.same_dtype && mixes_dtypes(operands)) return true;
  if (constraint.results && operands.results_used > static_cast<std::size_t>(*constraint.results))
    return true;
  if (constraint.not_returned && operands.returned) return true;
  return takes_input(constraint.computed_operands, operands) ||
         depends_on_inputs(constraint.constant_operands, operands);
}

/// Whether dimensions that are given from the front can be counted from the end.
bool knows_end(const OperatorConstraint& constraint, const Operator& op, const Operands& operands) {
  const AttributeValue* found =
      constraint.from_end ? find_attribute(op.attributes, constraint.attribute) : nullptr;
  if (found == nullptr) return true;
  const std::vector<AttributeValue> items = items_of(*found);
  return std::ranges::all_of(items, [&operands](const AttributeValue& item) {
    return from_end(item, operands).has_value();
  });
}

/// Whether everything that the constraint asks about the tensors is known.
bool knows_tensors(const OperatorConstraint& constraint, const Operands& operands) {
  const bool of_ranks = constraint.min_rank || constraint.max_rank || constraint.same_rank ||
                        constraint.dimensions_before_pairs;
  const bool of_dtypes = !constraint.dtypes.empty() || constraint.same_dtype;
  if (!of_ranks && !of_dtypes) return true;
  return !operands.types.empty() &&
         std::ranges::all_of(operands.types, [&](const TensorType& type) {
           return (type.shape || !of_ranks) && (!type.dtype.empty() || !of_dtypes);
         });
}

} // namespace

bool any_item_is(const std::vector<ConstraintValue>& values, const AttributeValue& value) {
  const std::vector<AttributeValue> items = items_of(value);
  return std::ranges::any_of(
      items, [&values](const AttributeValue& item) { return one_of(values, item); });
}

bool any_item_is_none(const std::vector<ConstraintValue>& values, const AttributeValue& value) {
  const std::vector<AttributeValue> items = items_of(value);
  return std::ranges::any_of(
      items, [&values](const AttributeValue& item) { return !one_of(values, item); });
}

bool is_decided(const OperatorConstraint& constraint, const Operator& op, int opset,
                const Operands& operands) {
  if (!is_meant(constraint, op, opset)) return true;
  if (!knows_tensors(constraint, operands)) return false;
  if (!knows_end(constraint, op, operands)) return false;
  const bool noted = constraint.attribute == "result" || constraint.attribute == "use";
  return constraint.attribute.empty() || noted ||
         find_attribute(op.attributes, constraint.attribute) != nullptr;
}

bool breaks(const OperatorConstraint& constraint, const Operator& op, const OperatorName& name,
            int opset, const Operands& operands) {
  if (!is_meant(constraint, op, opset)) return false;
  // Every condition of one constraint must hold together with the overload it names.
  if (!constraint.overloads.empty() && !contains(constraint.overloads, name.overload)) return true;
  if (contains(constraint.not_overloads, name.overload)) return true;
  return breaks_tensors(constraint, op, operands) ||
         (!constraint.attribute.empty() && breaks_attribute(constraint, op, operands));
}

} // namespace model_validator::rules
