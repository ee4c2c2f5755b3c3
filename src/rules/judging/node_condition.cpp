#include "rules/judging/node_condition.h"

#include "connected_graph/attributes.h"
#include "rules/judging/constraint.h"
#include "text/lists.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <functional>
#include <string_view>

namespace model_validator::rules {
namespace {

Holds yes_or_no(bool known) { return known ? Holds::yes : Holds::no; }

/// An input or output; null where it is left out, or the node has none so.
const ProgramValue* operand_at(NodeView node, int number, bool of_inputs = true) {
  const auto at = static_cast<std::size_t>(number);
  return of_inputs ? node.input(at) : node.output(at);
}

/// Nothing where it is not known.
std::optional<std::int64_t> size_at(const ProgramValue* operand, int axis) {
  if (operand == nullptr || !operand->type.shape) return std::nullopt;
  const auto at = static_cast<std::size_t>(axis);
  if (at >= operand->type.shape->size() || operand->type.shape->at(at) < 0) return std::nullopt;
  return operand->type.shape->at(at);
}

Holds is_another_size(const AttributeValue& value, std::optional<std::int64_t> size) {
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr || !size) return Holds::unknown;
  return yes_or_no(*number != *size);
}

/// Whether the size of some axis of an operand is so beside that of an input.
template <class IsSo>
Holds some_axis(const ProgramValue& operand, const ProgramValue* other, IsSo is_so) {
  const auto rank_of = [](const ProgramValue& value) {
    return value.type.shape ? value.type.shape->size() : 0;
  };
  const std::size_t rank = rank_of(operand);
  if (other == nullptr || rank != rank_of(*other) || rank == 0) return Holds::unknown;
  bool known = true;
  for (int i = 0; i < static_cast<int>(rank); ++i) {
    const auto size = size_at(&operand, i), beside = size_at(other, i);
    if (size && beside && is_so(*size, *beside)) return Holds::yes;
    known = known && size && beside;
  }
  return known ? Holds::no : Holds::unknown;
}

Holds is_another_number(const AttributeValue& value, std::optional<std::int64_t> than) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? Holds::unknown : yes_or_no(than && *number != *than);
}

Holds has_length(const ProgramValue& operand, NodeView node, const AxisLength& asked) {
  const auto size = size_at(&operand, asked.axis);
  if (!size) return Holds::unknown;
  const std::int64_t parts =
      asked.parts.empty() ? 1 : integer_of(node->attributes, asked.parts).value_or(0);
  if (parts <= 0) return Holds::no;
  const std::int64_t length = *size / parts;
  return yes_or_no((!asked.at_least || length >= *asked.at_least) &&
                   (!asked.at_most || length <= *asked.at_most));
}

Holds attribute_holds(const NodeCondition& condition, NodeView node) {
  const AttributeValue* found = node.attribute(condition.attribute);
  if (found == nullptr) return yes_or_no(condition.or_absent);
  if (const auto& at = condition.is_not_size)
    return is_another_size(*found, size_at(operand_at(node, at->input), at->axis));
  if (!condition.is_not_attribute.empty())
    return is_another_number(*found, integer_of(node->attributes, condition.is_not_attribute));
  if (condition.is.empty() && condition.is_not.empty()) return yes_or_no(!condition.or_absent);
  if (std::holds_alternative<std::monostate>(*found)) return Holds::unknown;
  if (!condition.is_not.empty()) return yes_or_no(any_item_is_none(condition.is_not, *found));
  return yes_or_no(any_item_is(condition.is, *found));
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

bool is_empty(const ProgramValue& operand) {
  return operand.type.shape && contains(*operand.type.shape, 0);
}

Holds is_none_of(const std::vector<ConstraintValue>& values, std::optional<std::int64_t> number) {
  if (!number) return Holds::unknown;
  return yes_or_no(!contains(values, ConstraintValue(*number)));
}

Holds type_holds(const NodeCondition& condition, const TensorType& type) {
  Holds result = Holds::yes;
  if (!condition.dtypes.empty()) {
    if (type.dtype.empty())
      result = Holds::unknown;
    else if (!contains(condition.dtypes, type.dtype))
      return Holds::no;
  }
  if (condition.ranks.empty()) return result;
  if (!type.shape) return Holds::unknown;
  return contains(condition.ranks, static_cast<int>(type.shape->size())) ? result : Holds::no;
}

Holds operand_holds(const NodeCondition& condition, const ProgramValue* operand, NodeView node) {
  if (operand == nullptr) return yes_or_no(condition.absent);
  if (condition.absent || !comes_from_there(condition, *operand)) return Holds::no;
  if (condition.empty && !is_empty(*operand)) return Holds::no;
  if (!condition.elements.empty() && !contains(condition.elements, word_of(operand->elements)))
    return Holds::no;
  Holds result = type_holds(condition, operand->type);
  if (result == Holds::no) return result;
  if (condition.length) result = std::min(result, has_length(*operand, node, *condition.length));
  if (const auto& other = condition.smaller_than_input)
    result = std::min(result, some_axis(*operand, operand_at(node, *other), std::less<>()));
  if (const auto& other = condition.unlike_input)
    result = std::min(result, some_axis(*operand, operand_at(node, *other), std::not_equal_to<>()));
  if (!condition.is_not.empty())
    result = std::min(result, is_none_of(condition.is_not, operand->number));
  return result;
}

const ProgramValue* operand_of(const NodeCondition& condition, NodeView node) {
  return operand_at(node, condition.input.value_or(condition.output.value_or(0)),
                    condition.input.has_value());
}

Holds holds(const NodeCondition& condition, NodeView node) {
  if (condition.from_opset > 0 && node->opset < condition.from_opset) return Holds::no;
  if (condition.below_opset > 0 && node->opset >= condition.below_opset) return Holds::no;
  if (!condition.attribute.empty()) return attribute_holds(condition, node);
  if (condition.input || condition.output)
    return operand_holds(condition, operand_of(condition, node), node);
  return Holds::yes;
}

/// `, divided by `heads`; where it is 2 or more`
std::string said_of(const AxisLength& length) {
  std::string text = length.parts.empty() ? "" : ", divided by `" + length.parts + "`";
  text += "; where it is ";
  if (length.at_least) text += std::to_string(*length.at_least) + " or more";
  if (length.at_least && length.at_most) text += " and ";
  if (length.at_most) text += std::to_string(*length.at_most) + " or less";
  return text;
}

/// What of the sizes is not stated; empty if nothing was asked of them.
std::string open_sizes(const NodeCondition& condition, const std::string& place) {
  if (condition.length)
    return "axis " + std::to_string(condition.length->axis) + " of " + place +
           said_of(*condition.length);
  if (condition.smaller_than_input)
    return "the sizes of " + place + "; where it is smaller than input " +
           std::to_string(*condition.smaller_than_input);
  if (condition.unlike_input)
    return "the sizes of " + place + "; where they are not those of input " +
           std::to_string(*condition.unlike_input);
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
  const auto open = std::ranges::find_if(
      refusal.when, [&](const NodeCondition& each) { return holds(each, node) == Holds::unknown; });
  if (open == refusal.when.end()) return refusal.reason;
  return "the file does not state " + open_question(*open, node) +
         std::string(what_happens(refusal.mishap)) + refusal.reason;
}

Holds holds(const NodeRefusal& refusal, NodeView node) {
  Holds all = Holds::yes;
  for (const NodeCondition& condition : refusal.when) {
    all = std::min(all, holds(condition, node));
    if (all == Holds::no) break;
  }
  return all;
}

} // namespace model_validator::rules
