#include "connected_graph/attributes.h"
#include "text/plural.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/program_view.h"

#include <model_validator/data/contains.h>
#include <model_validator/quantiser_rules.h>
#include <model_validator/target_profile.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "quantiser-will-fail",
                        .code = "QNT006",
                        .summary = "a quantiser will fail on the model, or leave it as it is",
                        .severity = Severity::warning,
                        .about_code = false};

using Cause = QuantiserFailure::Cause;

/// The number that a name ends in after a start; -1 if the rest is no number.
long suffix_after(std::string_view name, std::string_view start) {
  if (!name.starts_with(start) || name.size() == start.size()) return -1;
  long number = -1;
  const auto [end, error] =
      std::from_chars(name.data() + start.size(), name.data() + name.size(), number);
  return error == std::errc{} && end == name.data() + name.size() ? number : -1;
}

class FailureFinder {
public:
  FailureFinder(const ConnectedGraph& graph, const TargetProfile& target, Diagnostics& diagnostics)
      : graph_(graph), program_(*graph.program), target_(target), diagnostics_(diagnostics) {}

  void run() {
    for (const QuantiserFailure& failure : target_.quantiser->failures) look_for(failure);
  }

private:
  void look_for(const QuantiserFailure& failure) {
    switch (failure.cause) {
    case Cause::quantised:
      if (program_.quantised) report(failure, first_quantised(), "the model is quantised already");
      return;
    case Cause::shared_bias: return look_for_shared_bias(failure);
    case Cause::below_opset: return look_at_opset(failure);
    case Cause::all_in_subgraphs: return look_into_subgraphs(failure);
    case Cause::reused_module: return look_for_reuse(failure);
    case Cause::constant_rank:
    case Cause::bias_row:
    case Cause::declared_weight:
    case Cause::integer_operand:
    case Cause::integer_and_number: return look_at_nodes(failure);
    }
  }

  void look_at_opset(const QuantiserFailure& failure) {
    if (!program_.quantised && graph_.origin.opset && *graph_.origin.opset < failure.opset)
      report(failure, nullptr, "the opset of the file is " + std::to_string(*graph_.origin.opset));
  }

  static bool is_about(const QuantiserFailure& failure, const ProgramNode& node) {
    return contains(failure.operators, operator_of(node));
  }

  const ProgramNode* first_quantised() const {
    const auto found = std::ranges::find_if(
        program_.nodes, [](const auto& node) { return node.role != QuantisedRole::other; });
    return found == program_.nodes.end() ? nullptr : &*found;
  }

  const ProgramValue* operand(const ProgramNode& node, std::size_t number) const {
    return program_.input(node, number);
  }

  /// One finding for all nodes: the quantiser fails on the first of them.
  void look_at_nodes(const QuantiserFailure& failure) {
    const ProgramNode* first = nullptr;
    std::size_t others = 0;
    for (const ProgramNode& node : program_.nodes) {
      if (!is_about(failure, node) || node.region != none || !wrong_operand(failure, node))
        continue;
      if (first == nullptr)
        first = &node;
      else
        ++others;
    }
    if (first == nullptr) return;
    const ProgramValue& value = *wrong_operand(failure, *first);
    report(failure, first,
           "`" + value.name + "` of " + spoken(*first) + what_of(failure, value) +
               (others > 0 ? ", and " + plural(others, "other") + " like it" : std::string()));
  }

  const ProgramValue* wrong_operand(const QuantiserFailure& failure,
                                    const ProgramNode& node) const {
    if (failure.cause == Cause::integer_operand || failure.cause == Cause::integer_and_number)
      return integer_operand(failure, node);
    const std::size_t number = failure.cause == Cause::bias_row ? 2 : 1;
    const ProgramValue* value = operand(node, number);
    if (value == nullptr || !value->stored() || !value->type.shape) return nullptr;
    return is_wrong(failure, node, *value) ? value : nullptr;
  }

  static bool is_wrong(const QuantiserFailure& failure, const ProgramNode& node,
                       const ProgramValue& value) {
    const auto& shape = *value.type.shape;
    if (failure.cause == Cause::constant_rank)
      return shape.size() == static_cast<std::size_t>(failure.rank);
    if (shape.size() != 2) return false;
    if (failure.cause == Cause::bias_row) return shape[0] == 1;
    return value.declared && shape[0] != shape[1] &&
           integer_of(node.attributes, "transB").value_or(0) != 0;
  }

  /// A tensor of integers that is computed; sizes are integers too, but no tensors.
  const ProgramValue* integer_operand(const QuantiserFailure& failure,
                                      const ProgramNode& node) const {
    if (node.op == none || graph_.op(node.op).kind == OpKind::query) return nullptr;
    if (failure.cause == Cause::integer_and_number && node.inputs.size() != 1) return nullptr;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const ProgramValue* value = operand(node, i);
      if (value != nullptr && !value->stored() &&
          (value->type.dtype == "int64" || value->type.dtype == "int32"))
        return value;
    }
    return nullptr;
  }

  static std::string what_of(const QuantiserFailure& failure, const ProgramValue& value) {
    if (failure.cause == Cause::declared_weight) return " is transposed and has a declared shape";
    if (failure.cause == Cause::integer_operand || failure.cause == Cause::integer_and_number)
      return " holds integers";
    return " has the shape " + to_python(*value.type.shape);
  }

  static std::string spoken(const ProgramNode& node) {
    return node.name.empty() ? "a `" + std::string(operator_of(node)) + "`" : '`' + node.name + '`';
  }

  /// The quantiser names its copies by the largest number that such a name ends in, plus one.
  void look_for_shared_bias(const QuantiserFailure& failure) {
    std::map<std::size_t, std::vector<const ProgramNode*>> users;
    for (const ProgramNode& node : program_.nodes)
      if (const ProgramValue* bias = operand(node, 2);
          is_about(failure, node) && bias != nullptr && bias->stored() && node.region == none)
        users[node.inputs[2]].push_back(&node);
    for (const auto& [value, nodes] : users)
      if (nodes.size() > 1) check_copies(failure, program_.values[value].name, nodes);
  }

  void check_copies(const QuantiserFailure& failure, const std::string& bias,
                    const std::vector<const ProgramNode*>& nodes) {
    long largest = -1;
    std::set<long> taken;
    for (const ProgramValue& value : program_.values)
      if (const long number = suffix_after(value.name, bias); number >= 0) {
        if (value.stored())
          largest = std::max(largest, number);
        else
          taken.insert(number);
      }
    for (std::size_t copy = 1; copy < nodes.size(); ++copy) {
      const long number = largest + static_cast<long>(copy);
      if (!taken.contains(number)) continue;
      return report(failure, nodes[copy],
                    "`" + bias + "` is the bias of " + std::to_string(nodes.size()) +
                        " nodes, and `" + bias + std::to_string(number) + "` is taken");
    }
  }

  /// The module that a node is the work of; `none` where it is not a call of one.
  ModuleId module_of(const ProgramNode& node) const {
    if (node.op == none || graph_.op(node.op).kind != OpKind::module) return none;
    return graph_.op(node.op).module;
  }

  /// Whether one of `after` makes an operand, directly or with `past` between.
  bool comes_after(const ProgramNode& node, const QuantiserFailure& failure) const {
    const auto holds = [](const std::vector<std::string>& names, const ProgramNode& each) {
      return contains(names, operator_of(each));
    };
    if (failure.after.empty()) return true;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const ProgramNode* made_by = program_.maker(node.inputs[i]);
      if (made_by == nullptr) continue;
      const ProgramNode& maker = *made_by;
      if (holds(failure.after, maker)) return true;
      if (holds(failure.past, maker) && !holds(failure.past, node) && comes_after(maker, failure))
        return true;
      if (operator_of(maker) == "batch_norm" && comes_after(maker, failure)) return true; // folded
    }
    return false;
  }

  void look_for_reuse(const QuantiserFailure& failure) {
    std::map<ModuleId, std::vector<const ProgramNode*>> calls;
    for (const ProgramNode& node : program_.nodes)
      if (is_about(failure, node) && module_of(node) != none)
        calls[module_of(node)].push_back(&node);
    for (const auto& [module, nodes] : calls)
      for (const ProgramNode* node : nodes)
        // Each path to a module is a module of its own for the quantiser.
        if (nodes.size() > 1 + graph_.module(module).aliases.size() && comes_after(*node, failure))
          return report(failure, node,
                        "`" + graph_.module_path(module) + "` is called " +
                            std::to_string(nodes.size()) + " times");
  }

  void look_into_subgraphs(const QuantiserFailure& failure) {
    const ProgramNode* first = nullptr;
    std::size_t inside = 0;
    for (const ProgramNode& node : program_.nodes) {
      if (!is_about(failure, node)) continue;
      if (node.region == none) return;
      if (first == nullptr) first = &node;
      ++inside;
    }
    if (first != nullptr)
      report(failure, first,
             "all " + std::to_string(inside) +
                 " nodes to quantise stand in bodies of an If, Loop or Scan");
  }

  void report(const QuantiserFailure& failure, const ProgramNode* node, const std::string& what) {
    const std::string with = failure.when.empty() ? "" : " (" + failure.when + ")";
    std::string message = (failure.cause == Cause::all_in_subgraphs
                               ? "`" + target_.name + "`" + with + " will quantise nothing: "
                               : "`" + target_.name + "`" + with + " will fail: ") +
                          what;
    Diagnostic finding =
        finding_of(graph_, node == nullptr ? none : node->op, diagnostics_, std::move(message));
    finding.notes.push_back(failure.reason);
    diagnostics_.add(std::move(finding), failure.remedy);
  }

  const ConnectedGraph& graph_;
  const Program& program_;
  const TargetProfile& target_;
  Diagnostics& diagnostics_;
};

/// What a quantiser that was named as a target will fail on, or silently leave as it is.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  if (!graph.program) return;
  for (const TargetProfile* target : context.targets)
    if (target->quantiser) FailureFinder(graph, *target, diagnostics).run();
}

} // namespace

const Check checks::quantiser_will_fail(rule, run);

} // namespace model_validator
