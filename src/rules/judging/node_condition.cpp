#include "rules/judging/node_condition.h"

#include "rules/judging/constraint.h"
#include "text/lists.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <string_view>

namespace model_validator::rules {
namespace {

Holds yes_or_no(bool known) { return known ? Holds::yes : Holds::no; }

Holds attribute_holds(const NodeCondition& condition, const FileNode& node) {
  const auto found =
      std::find_if(node.attributes.begin(), node.attributes.end(),
                   [&](const FileAttribute& each) { return each.name == condition.attribute; });
  if (found == node.attributes.end()) return yes_or_no(condition.or_absent);
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
                    int number) {
  const auto at = static_cast<std::size_t>(number);
  const FileOperand missing{false, {}, std::nullopt, false};
  return operand_holds(condition, at < operands.size() ? operands[at] : missing);
}

Holds holds(const NodeCondition& condition, const FileNode& node) {
  if (condition.from_opset > 0 && node.opset < condition.from_opset) return Holds::no;
  if (condition.below_opset > 0 && node.opset >= condition.below_opset) return Holds::no;
  if (!condition.attribute.empty()) return attribute_holds(condition, node);
  if (condition.input) return operand_holds(condition, node.inputs, *condition.input);
  if (condition.output) return operand_holds(condition, node.outputs, *condition.output);
  return Holds::yes;
}

const FileOperand* operand_of(const NodeCondition& condition, const FileNode& node) {
  const std::vector<FileOperand>& operands = condition.input ? node.inputs : node.outputs;
  const auto at = static_cast<std::size_t>(condition.input.value_or(condition.output.value_or(0)));
  return at < operands.size() ? &operands[at] : nullptr;
}

/// `the rank of input 0; with rank 6`: what is not stated, and of what value the rest is said.
std::string open_question(const NodeCondition& condition, const FileNode& node) {
  if (!condition.attribute.empty())
    return "the value of `" + condition.attribute + "`; with some values";
  const FileOperand* operand = operand_of(condition, node);
  const std::string place = condition.input ? "input " + std::to_string(*condition.input)
                                            : "output " + std::to_string(*condition.output);
  if (!condition.dtypes.empty() && operand != nullptr && operand->dtype.empty())
    return "the dtype of " + place + "; with " + joined(condition.dtypes, " or ");
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
