#include "rules/judging/node_condition.h"

#include "rules/judging/constraint.h"
#include "text/lists.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <string_view>

namespace model_validator::rules {
namespace {

Holds yes_or_no(bool known) { return known ? Holds::yes : Holds::no; }

std::optional<std::int64_t> size_of(const FileNode& node, InputAxis at) {
  const auto input = static_cast<std::size_t>(at.input), axis = static_cast<std::size_t>(at.axis);
  if (input >= node.inputs.size() || axis >= node.inputs[input].sizes.size()) return std::nullopt;
  return node.inputs[input].sizes[axis];
}

Holds is_another_size(const AttributeValue& value, std::optional<std::int64_t> size) {
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr || !size) return Holds::unknown;
  return yes_or_no(*number != *size);
}

/// Whether some axis of an operand is shorter than that of an input.
Holds is_smaller(const FileOperand& operand, const std::vector<FileOperand>& inputs, int than) {
  const auto at = static_cast<std::size_t>(than);
  if (at >= inputs.size() || operand.sizes.size() != inputs[at].sizes.size() ||
      operand.sizes.empty())
    return Holds::unknown;
  bool known = true;
  for (std::size_t i = 0; i < operand.sizes.size(); ++i) {
    const auto size = operand.sizes[i], other = inputs[at].sizes[i];
    if (size && other && *size < *other) return Holds::yes;
    known = known && size && other;
  }
  return known ? Holds::no : Holds::unknown;
}

Holds attribute_holds(const NodeCondition& condition, const FileNode& node) {
  const auto found =
      std::find_if(node.attributes.begin(), node.attributes.end(),
                   [&](const FileAttribute& each) { return each.name == condition.attribute; });
  if (found == node.attributes.end()) return yes_or_no(condition.or_absent);
  if (condition.is_not_size)
    return is_another_size(found->value, size_of(node, *condition.is_not_size));
  if (condition.is.empty() && condition.is_not.empty()) return yes_or_no(!condition.or_absent);
  if (std::holds_alternative<std::monostate>(found->value)) return Holds::unknown;
  if (!condition.is_not.empty()) return yes_or_no(any_item_is_none(condition.is_not, found->value));
  return yes_or_no(any_item_is(condition.is, found->value));
}

Holds operand_holds(const NodeCondition& condition, const FileOperand& operand) {
  if (!operand.given) return yes_or_no(condition.absent);
  if (condition.absent) return Holds::no;
  if (condition.computed && operand.constant) return Holds::no;
  if (condition.unranked && !operand.unranked) return Holds::no;
  Holds result = Holds::yes;
  if (!condition.dtypes.empty()) {
    if (operand.dtype.empty())
      result = Holds::unknown;
    else if (!contains(condition.dtypes, operand.dtype))
      return Holds::no;
  }
  if (condition.ranks.empty()) return result;
  if (!operand.rank) return Holds::unknown;
  return contains(condition.ranks, *operand.rank) ? result : Holds::no;
}

Holds operand_holds(const NodeCondition& condition, const std::vector<FileOperand>& operands,
                    int number, const FileNode& node) {
  const auto at = static_cast<std::size_t>(number);
  const FileOperand missing{false, {}, std::nullopt, false};
  const FileOperand& operand = at < operands.size() ? operands[at] : missing;
  const Holds result = operand_holds(condition, operand);
  if (!condition.smaller_than_input || result == Holds::no) return result;
  return std::min(result, is_smaller(operand, node.inputs, *condition.smaller_than_input));
}

Holds holds(const NodeCondition& condition, const FileNode& node) {
  if (condition.from_opset > 0 && node.opset < condition.from_opset) return Holds::no;
  if (condition.below_opset > 0 && node.opset >= condition.below_opset) return Holds::no;
  if (!condition.attribute.empty()) return attribute_holds(condition, node);
  if (condition.input) return operand_holds(condition, node.inputs, *condition.input, node);
  if (condition.output) return operand_holds(condition, node.outputs, *condition.output, node);
  return Holds::yes;
}

const FileOperand* operand_of(const NodeCondition& condition, const FileNode& node) {
  const std::vector<FileOperand>& operands = condition.input ? node.inputs : node.outputs;
  const auto at = static_cast<std::size_t>(condition.input.value_or(condition.output.value_or(0)));
  return at < operands.size() ? &operands[at] : nullptr;
}

/// `the rank of input 0; with rank 6`: what is not stated, and of what value the rest is said.
std::string open_question(const NodeCondition& condition, const FileNode& node) {
  if (condition.is_not_size)
    return "axis " + std::to_string(condition.is_not_size->axis) + " of input " +
           std::to_string(condition.is_not_size->input) + "; where `" + condition.attribute +
           "` is another number";
  if (!condition.attribute.empty())
    return "the value of `" + condition.attribute + "`; with some values";
  const FileOperand* operand = operand_of(condition, node);
  const std::string place = condition.input ? "input " + std::to_string(*condition.input)
                                            : "output " + std::to_string(*condition.output);
  if (!condition.dtypes.empty() && operand != nullptr && operand->dtype.empty())
    return "the dtype of " + place + "; with " + joined(condition.dtypes, " or ");
  if (condition.smaller_than_input && operand != nullptr)
    return "the sizes of " + place + "; where it is smaller than input " +
           std::to_string(*condition.smaller_than_input);
  std::vector<std::string> ranks;
  for (const int rank : condition.ranks) ranks.push_back(std::to_string(rank));
  return "the rank of " + place + "; with rank " + joined(ranks, " or ");
}

std::string_view what_happens(Mishap mishap) {
  switch (mishap) {
  case Mishap::refused: return " it is refused: ";
  case Mishap::fails: return " it fails when it runs: ";
  case Mishap::wrong: return " it is computed wrongly: ";
  case Mishap::unknown: break;
  }
  return " nobody knows: ";
}

} // namespace

std::string undecided(const NodeRefusal& refusal, const FileNode& node) {
  const auto open =
      std::find_if(refusal.when.begin(), refusal.when.end(),
                   [&](const NodeCondition& each) { return holds(each, node) == Holds::unknown; });
  if (open == refusal.when.end()) return refusal.reason;
  return "the file does not state " + open_question(*open, node) +
         std::string(what_happens(refusal.mishap)) + refusal.reason;
}

Holds holds(const NodeRefusal& refusal, const FileNode& node) {
  Holds all = Holds::yes;
  for (const NodeCondition& condition : refusal.when) {
    all = std::min(all, holds(condition, node));
    if (all == Holds::no) break;
  }
  return all;
}

} // namespace model_validator::rules
