#include "rules/judging/node_condition.h"

#include "connected_graph/attributes.h"
#include "rules/judging/asked_node.h"
#include "rules/judging/operator_name.h"
#include "text/lists.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <functional>
#include <string_view>

namespace model_validator::rules {
namespace {

/// The items of a list, or the value itself.
std::vector<AttributeValue> items_of(const AttributeValue& value) {
  return std::visit(
      [](const auto& held) {
        std::vector<AttributeValue> items;
        using T = std::decay_t<decltype(held)>;
        if constexpr (requires { typename T::value_type; } && !std::is_same_v<T, std::string>)
          for (auto&& item : held) items.emplace_back(item);
        else
          items.emplace_back(held);
        return items;
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

bool is_one_of(const std::vector<ConstraintValue>& values, const AttributeValue& value) {
  return std::ranges::any_of(values, [&](const auto& each) { return equal(each, value); });
}

std::string_view type_of(const AttributeValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return "None";
  if (std::holds_alternative<bool>(value)) return "boolean";
  if (std::holds_alternative<std::int64_t>(value)) return "integer";
  return std::holds_alternative<double>(value) ? "real" : "string";
}

Holds yes_or_no(bool known) { return known ? Holds::yes : Holds::no; }

/// An input or output; null where it is left out, or the node has none so.
const ProgramValue* operand_at(NodeView node, int number, bool of_inputs = true) {
  const auto at = static_cast<std::size_t>(number);
  return of_inputs ? node.input(at) : node.output(at);
}

/// Nothing where it is not known.
std::optional<std::int64_t> rank_of(const ProgramValue* value) {
  if (value == nullptr || !value->type.shape) return std::nullopt;
  return static_cast<std::int64_t>(value->type.shape->size());
}

/// An axis below 0 is counted from the end.
std::optional<std::int64_t> size_at(const ProgramValue* operand, int axis) {
  if (operand == nullptr || !operand->type.shape) return std::nullopt;
  const std::size_t rank = operand->type.shape->size();
  const std::size_t at = static_cast<std::size_t>(axis) + (axis < 0 ? rank : 0);
  if (at >= rank || operand->type.shape->at(at) < 0) return std::nullopt;
  return operand->type.shape->at(at);
}

Holds is_another_size(const AttributeValue& value, std::optional<std::int64_t> size) {
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr || !size) return Holds::unknown;
  return yes_or_no(*number != *size);
}

/// The axis that an attribute names, 0 where it is left out; none where no attribute is asked for.
std::optional<std::int64_t> axis_of(NodeView node, const std::string& attribute) {
  if (attribute.empty()) return std::nullopt;
  return integer_of(node->attributes, attribute).value_or(0);
}

template <class IsSo>
Holds both_sizes(std::optional<std::int64_t> a, std::optional<std::int64_t> b, IsSo is_so) {
  return a && b ? yes_or_no(is_so(*a, *b)) : Holds::unknown;
}

/// Whether the size of some axis of an operand is so beside that of an input, but for one axis.
template <class IsSo>
Holds some_axis(const ProgramValue& operand, const ProgramValue* other, IsSo is_so,
                std::optional<std::int64_t> but_for = {}) {
  const auto rank = rank_of(&operand);
  if (!rank || rank != rank_of(other) || *rank == 0) return Holds::unknown;
  Holds found = Holds::no;
  for (int i = 0; i < *rank; ++i) {
    if (but_for == i || but_for == i - *rank) continue;
    const Holds here = both_sizes(size_at(&operand, i), size_at(other, i), is_so);
    if (here == Holds::yes) return here;
    if (here == Holds::unknown) found = here;
  }
  return found;
}

/// Whether neither size is a multiple of the other.
bool are_uneven(std::int64_t a, std::int64_t b) { return a > 0 && b > 0 && a % b && b % a; }

Holds is_another_number(const AttributeValue& value, std::optional<std::int64_t> than) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? Holds::unknown : yes_or_no(than && *number != *than);
}

bool is_free(const ProgramValue& operand, int axis) {
  const std::optional<int> rank = rank_of(&operand);
  const int from_start = axis < 0 ? axis + rank.value_or(0) : axis;
  return from_start >= 0 && from_start < 64 && (operand.free_axes >> from_start & 1) != 0;
}

Holds has_length(const ProgramValue& operand, NodeView node, const AxisLength& asked) {
  const auto size = size_at(&operand, asked.axis);
  if (asked.free)
    return size ? Holds::no : is_free(operand, asked.axis) ? Holds::yes : Holds::unknown;
  // As with `empty`: a size that the file leaves open is not taken for 0.
  if (!size) return asked.at_most && *asked.at_most <= 0 ? Holds::no : Holds::unknown;
  const std::int64_t parts =
      asked.parts.empty() ? 1 : integer_of(node->attributes, asked.parts).value_or(0);
  if (parts <= 0) return Holds::no;
  const std::int64_t length = *size / parts;
  return yes_or_no((!asked.at_least || length >= *asked.at_least) &&
                   (!asked.at_most || length <= *asked.at_most));
}

/// An axis is counted from the end where that is asked; nothing where the end is not known.
std::optional<AttributeValue> counted(const NodeCondition& condition, AttributeValue item,
                                      NodeView node) {
  const auto* axis = std::get_if<std::int64_t>(&item);
  if (!condition.from_end || axis == nullptr || *axis < 0) return item;
  const auto rank = rank_of(node.output(0));
  return rank ? std::optional<AttributeValue>(*axis - *rank) : std::nullopt;
}

/// Of `types`, the one of words that are told by their letters.
bool has_capitals(const AttributeValue& value) {
  const auto* word = std::get_if<std::string>(&value);
  return word != nullptr &&
         std::ranges::any_of(*word, [](char each) { return each >= 'A' && each <= 'Z'; });
}

bool is_meant(const NodeCondition& condition, const AttributeValue& item) {
  const auto number = number_of(item);
  return (contains(condition.types, "capitals") && has_capitals(item)) ||
         (condition.below && number && *number < *condition.below) ||
         contains(condition.types, type_of(item)) || is_one_of(condition.is, item) ||
         (!condition.is_not.empty() && !is_one_of(condition.is_not, item));
}

Holds value_holds(const NodeCondition& condition, const AttributeValue& value, NodeView node) {
  const std::vector<AttributeValue> items = items_of(value);
  if (condition.shorter_than)
    return yes_or_no(items.size() < static_cast<std::size_t>(*condition.shorter_than));
  if (condition.axes_left) {
    const auto rank = rank_of(node.input(0));
    const auto needed = static_cast<std::int64_t>(items.size() / 2) + *condition.axes_left;
    return rank ? yes_or_no(*rank < needed) : Holds::unknown;
  }
  Holds result = Holds::no;
  for (const AttributeValue& item : items) {
    const auto found = counted(condition, item, node);
    if (found && is_meant(condition, *found)) return Holds::yes;
    if (!found) result = Holds::unknown;
  }
  return result;
}

Holds is_absent(const NodeCondition& condition) {
  if (condition.or_absent) return Holds::yes;
  return condition.argument && !condition.given ? Holds::unknown : Holds::no;
}

Holds attribute_holds(const NodeCondition& condition, NodeView node) {
  if (condition.attribute == "overload")
    return value_holds(condition, parse_operator_name(node->schema).overload, node);
  const AttributeValue* found = node.attribute(condition.attribute);
  if (found == nullptr) return is_absent(condition);
  if (const auto& at = condition.is_not_size)
    return is_another_size(*found, size_at(operand_at(node, at->input), at->axis));
  if (!condition.is_not_attribute.empty())
    return is_another_number(*found, integer_of(node->attributes, condition.is_not_attribute));
  if (!condition.asks_value()) return yes_or_no(!condition.or_absent);
  if (!condition.argument && std::holds_alternative<std::monostate>(*found)) return Holds::unknown;
  return value_holds(condition, *found, node);
}

/// Whether an operand that is there comes from where the condition says.
bool comes_from_there(const NodeCondition& condition, const ProgramValue& operand) {
  const Origin origin = operand.origin;
  return !(condition.computed && operand.constant()) &&
         !(condition.unranked && !operand.unranked) &&
         !(condition.entry && origin != Origin::input) &&
         !(condition.worked_out && origin != Origin::worked_out) &&
         !(condition.constant && (!operand.constant() || origin == Origin::worked_out));
}

std::string_view word_of(Elements elements) {
  switch (elements) {
  case Elements::open: return "open";
  case Elements::appended: return "appended";
  case Elements::shown: break;
  }
  return "shown";
}

/// A size that is not known here may be known to a runtime.
Holds free_holds(const NodeCondition& condition, const ProgramValue& operand) {
  if (!condition.free || operand.free_axes != 0) return Holds::yes;
  const bool all_known = operand.type.shape && !contains(*operand.type.shape, -1);
  return all_known ? Holds::no : Holds::unknown;
}

bool is_empty(const ProgramValue& operand) {
  return operand.type.shape && contains(*operand.type.shape, 0);
}

Holds is_none_of(const std::vector<ConstraintValue>& values, std::optional<std::int64_t> number) {
  if (!number) return Holds::unknown;
  return yes_or_no(!contains(values, ConstraintValue(*number)));
}

Holds rank_holds(const NodeCondition& condition, const ProgramValue& operand) {
  if (condition.ranks.empty() && !condition.rank_below && !condition.rank_above) return Holds::yes;
  const auto rank = rank_of(&operand);
  if (!rank) return Holds::unknown;
  return yes_or_no((condition.ranks.empty() || contains(condition.ranks, *rank)) &&
                   (!condition.rank_below || *rank < *condition.rank_below) &&
                   (!condition.rank_above || *rank > *condition.rank_above));
}

Holds type_holds(const NodeCondition& condition, const ProgramValue& operand) {
  const std::string& dtype = operand.type.dtype;
  const Holds of_dtype = condition.dtypes.empty() ? Holds::yes
                         : dtype.empty()          ? Holds::unknown
                                                  : yes_or_no(contains(condition.dtypes, dtype));
  return std::min(of_dtype, rank_holds(condition, operand));
}

/// Whether one of some values is meant; unknown values may be.
template <class Value, class IsMeant>
Holds any_holds(const std::vector<std::optional<Value>>& values, IsMeant is_meant) {
  Holds result = Holds::no;
  for (const auto& each : values) {
    if (each && is_meant(*each)) return Holds::yes;
    if (!each) result = Holds::unknown;
  }
  return result;
}

template <class Value> Holds differ(const std::vector<std::optional<Value>>& values) {
  const auto first = std::ranges::find_if(values, &std::optional<Value>::has_value);
  return any_holds(values, [&](const Value& each) { return each != **first; });
}

bool stores_beyond_int32(NodeView node) {
  for (std::size_t i = 0; i < node->input_count(); ++i)
    if (const ProgramValue* operand = node.input(i); operand != nullptr && operand->beyond_int32)
      return true;
  return false;
}

/// What holds for its tensors together.
Holds tensors_hold(const NodeCondition& condition, NodeView node) {
  if (condition.beyond_int32) return yes_or_no(stores_beyond_int32(node));
  if (condition.dtypes_not.empty() && condition.mixed.empty()) return Holds::yes;
  std::vector<std::optional<std::string>> dtypes;
  std::vector<std::optional<std::int64_t>> ranks;
  const auto add = [&](const ProgramValue* value) {
    if (value == nullptr) return;
    const std::string& dtype = value->type.dtype;
    dtypes.push_back(dtype.empty() ? std::nullopt : std::optional(dtype));
    ranks.push_back(rank_of(value));
  };
  for (std::size_t i = 0; i < node->input_count(); ++i) add(node.input(i));
  if (!condition.dtypes_not.empty())
    return any_holds(
        dtypes, [&](const std::string& each) { return !contains(condition.dtypes_not, each); });
  if (condition.mixed == "ranks") return differ(ranks);
  for (std::size_t i = 0; i < node->outputs.size(); ++i)
    if (const ProgramValue* result = node.output(i);
        result != nullptr && !result->type.dtype.empty())
      add(result);
  return differ(dtypes);
}

Holds is_filled(const ProgramValue& operand) {
  if (is_empty(operand)) return Holds::no;
  return has_open_sizes(operand) ? Holds::unknown : Holds::yes;
}

/// Whether the file shows as much of an operand as the condition says.
bool is_shown(const NodeCondition& condition, const ProgramValue& operand) {
  return !(condition.empty && !is_empty(operand)) &&
         (condition.elements.empty() || contains(condition.elements, word_of(operand.elements)));
}

bool has_place_of(const NodeCondition& condition, NodeView node) {
  return condition.input && static_cast<std::size_t>(*condition.input) < node->input_count();
}

Holds operand_holds(const NodeCondition& condition, const ProgramValue* operand, NodeView node) {
  if (operand == nullptr)
    return yes_or_no(condition.absent || (condition.left_out && has_place_of(condition, node)));
  if (condition.absent || condition.left_out || !comes_from_there(condition, *operand) ||
      !is_shown(condition, *operand))
    return Holds::no;
  Holds result = std::min(type_holds(condition, *operand), free_holds(condition, *operand));
  if (condition.filled) result = std::min(result, is_filled(*operand));
  if (result == Holds::no) return result;
  if (condition.length) result = std::min(result, has_length(*operand, node, *condition.length));
  if (const auto& other = condition.smaller_than_input)
    result = std::min(result, some_axis(*operand, operand_at(node, *other), std::less<>()));
  if (const auto& other = condition.unlike_input)
    result = std::min(result, some_axis(*operand, operand_at(node, *other), std::not_equal_to<>(),
                                        axis_of(node, condition.beside_axis)));
  if (const auto& other = condition.uneven_to_input)
    result = std::min(result, some_axis(*operand, operand_at(node, *other), are_uneven));
  if (!condition.is_not.empty())
    result = std::min(result, is_none_of(condition.is_not, operand->number));
  return result;
}

const ProgramValue* operand_of(const NodeCondition& condition, NodeView node) {
  return operand_at(node, condition.input.value_or(condition.output.value_or(0)),
                    condition.input.has_value());
}

Holds condition_holds(const NodeCondition& condition, NodeView node) {
  if (condition.from_opset > 0 && node->opset < condition.from_opset) return Holds::no;
  if (condition.below_opset > 0 && node->opset >= condition.below_opset) return Holds::no;
  if (!condition.attribute.empty()) return attribute_holds(condition, node);
  if (condition.input || condition.output)
    return operand_holds(condition, operand_of(condition, node), node);
  return tensors_hold(condition, node);
}

/// `, divided by `heads`; where it is 2 or more`
std::string said_of(const AxisLength& length) {
  std::string text = length.parts.empty() ? "" : ", divided by `" + length.parts + "`";
  text += length.free ? "; where it is free" : "; where it is ";
  if (length.at_least) text += std::to_string(*length.at_least) + " or more";
  if (length.at_least && length.at_most) text += " and ";
  if (length.at_most) text += std::to_string(*length.at_most) + " or less";
  return text;
}

/// What of the sizes is not stated; empty if nothing was asked of them.
std::string open_sizes(const NodeCondition& condition, const std::string& place) {
  if (condition.filled) return "the sizes of " + place + "; where it has elements";
  if (condition.length)
    return "axis " + std::to_string(condition.length->axis) + " of " + place +
           said_of(*condition.length);
  if (condition.smaller_than_input)
    return "the sizes of " + place + "; where it is smaller than input " +
           std::to_string(*condition.smaller_than_input);
  if (condition.unlike_input)
    return "the sizes of " + place + "; where they are not those of input " +
           std::to_string(*condition.unlike_input);
  if (condition.uneven_to_input)
    return "the sizes of " + place + "; where they are no multiples or parts of those of input " +
           std::to_string(*condition.uneven_to_input);
  return {};
}

/// `the rank of input 0; with rank 6`: what is not stated, and of what value the rest is said.
std::string open_question(const NodeCondition& condition, NodeView node) {
  if (condition.is_not_size)
    return "axis " + std::to_string(condition.is_not_size->axis) + " of input " +
           std::to_string(condition.is_not_size->input) + "; where `" + condition.attribute +
           "` is another number";
  if (!condition.attribute.empty())
    return "the value of `" + condition.attribute + "`; with some values";
  const ProgramValue* operand = operand_of(condition, node);
  const std::string place = condition.input ? "input " + std::to_string(*condition.input)
                                            : "output " + std::to_string(*condition.output);
  if (!condition.dtypes.empty() && operand != nullptr && operand->type.dtype.empty())
    return "the dtype of " + place + "; with " + joined(condition.dtypes, " or ");
  const bool knows_rank = operand != nullptr && (condition.ranks.empty() || operand->type.shape);
  if (std::string open = open_sizes(condition, place); knows_rank && !open.empty()) return open;
  if (knows_rank && !condition.is_not.empty())
    return "the value of " + place + "; with some values";
  std::vector<std::string> ranks;
  for (const int rank : condition.ranks) ranks.push_back(std::to_string(rank));
  return "the rank of " + place + "; with rank " + joined(ranks, " or ");
}

std::string_view what_happens(Mishap mishap) {
  switch (mishap) {
  case Mishap::refused: return " it is refused: ";
  case Mishap::fails: return " it fails when it runs: ";
  case Mishap::wrong: return " it is computed wrongly: ";
  case Mishap::unknown:
  case Mishap::depends: break;
  }
  return " nobody knows: ";
}

} // namespace

std::string undecided(const NodeRefusal& refusal, NodeView node) {
  const auto open = std::ranges::find_if(refusal.when, [&](const NodeCondition& each) {
    return condition_holds(each, node) == Holds::unknown;
  });
  if (open == refusal.when.end()) return refusal.reason;
  return "the file does not state " + open_question(*open, node) +
         std::string(what_happens(refusal.mishap)) + refusal.reason;
}

bool any_item_is(const std::vector<ConstraintValue>& values, const AttributeValue& value) {
  return std::ranges::any_of(items_of(value),
                             [&](const AttributeValue& item) { return is_one_of(values, item); });
}

Holds holds(const NodeRefusal& refusal, NodeView node) {
  Holds all = Holds::yes;
  for (const NodeCondition& condition : refusal.when) {
    all = std::min(all, condition_holds(condition, node));
    if (all == Holds::no) break;
  }
  return all;
}

} // namespace model_validator::rules
