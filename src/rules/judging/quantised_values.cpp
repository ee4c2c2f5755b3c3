#include "rules/judging/quantised_values.h"

#include "connected_graph/attributes.h"
#include "connected_graph/op_type.h"

#include <model_validator/data/contains.h>
#include <model_validator/program.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace model_validator::rules {
namespace {

std::size_t operand_at(const ProgramNode& node, int number) {
  return number >= 0 && static_cast<std::size_t>(number) < node.inputs.size()
             ? node.inputs[static_cast<std::size_t>(number)]
             : none;
}

/// An attribute that has another value than the quantiser takes; null if all have it.
const std::pair<const std::string, std::int64_t>* wrong_attribute(const ProgramNode& node,
                                                                  const QuantisedOperators& row) {
  for (const auto& each : row.only)
    if (const auto* number = find_attribute<std::int64_t>(node.attributes, each.first);
        number && *number != each.second)
      return &each;
  return nullptr;
}

bool has_larger_number(const ProgramNode& node, double largest) {
  return std::ranges::any_of(node.attributes, [&](const Attribute& each) {
    const auto* number = std::get_if<double>(&each.value);
    return number && std::abs(*number) > largest;
  });
}

bool is_pair(const ProgramNode& node) {
  return std::ranges::count(node.inputs, none) == 0 && node.inputs.size() == 2;
}

/// Goes over the nodes as a quantiser does, and marks the values that it will quantise.
class QuantisedValues {
public:
  QuantisedValues(const ConnectedGraph& graph, const QuantiserRules& rules)
      : graph_(graph), program_(*graph.program), rules_(rules), rows_(program_.nodes.size()),
        readers_(readers_of(program_)), read_(program_.values.size()),
        made_(program_.values.size()), at_border_(program_.values.size()),
        left_(program_.nodes.size()), removed_(program_.nodes.size()) {
    std::map<std::string, const QuantisedOperators*, std::less<>> by_name;
    for (const QuantisedOperators& row : rules.operators)
      for (const std::string& name : row.operators) by_name[name] = &row;
    for (const std::size_t value : program_.inputs) at_border_[value] = true;
    for (const auto& [name, value] : program_.outputs)
      if (value != none) at_border_[value] = true;
    for (std::size_t i = 0; i < program_.nodes.size(); ++i) {
      const ProgramNode& node = program_.nodes[i];
      const auto found = by_name.find(bare_operator(node.schema));
      rows_[i] = found == by_name.end() ? nullptr : found->second;
      if (rows_[i] != nullptr && !rows_[i]->classes.empty())
        ++calls_[module_of(node)][std::string(bare_operator(node.schema))];
    }
  }

  std::vector<JudgedNode> judge_all() {
    for (std::size_t i = 0; i < program_.nodes.size(); ++i)
      if (rows_[i] != nullptr) visit(i);
    std::vector<JudgedNode> judged(program_.nodes.size());
    for (std::size_t i = 0; i < judged.size(); ++i) {
      judge(i, judged[i].planned);
      judged[i].row = rows_[i];
    }
    return judged;
  }

private:
  void judge(std::size_t id, PlannedNode& planned) const {
    const QuantisedOperators* row = rows_[id];
    planned.known = row != nullptr;
    if (row == nullptr) {
      planned.reason = "the quantiser does not take the operator";
      return;
    }
    if (removed_[id]) {
      planned.state = PlannedNode::State::removed;
      planned.reason = "the node before it does its work";
      return;
    }
    if (rules_.asks_maker)
      planned.state = left_[id].empty() ? PlannedNode::State::quantised : PlannedNode::State::stays;
    else if (program_.nodes[id].region == none)
      judge_by_values(program_.nodes[id], *row, planned);
    if (planned.state == PlannedNode::State::stays && planned.reason.empty())
      planned.reason = left_[id];
  }

  void visit(std::size_t id) {
    const ProgramNode& node = program_.nodes[id];
    const QuantisedOperators& row = *rows_[id];
    left_[id] = why_left(node, row);
    if (!left_[id].empty()) return;
    removed_[id] = is_removed(node, row);
    if (!removed_[id] && !row.into.empty()) left_[id] = "there is nothing to fold it into";
    if (!left_[id].empty()) return;
    if (row.all_operands)
      for (const std::size_t value : node.inputs) mark(value, read_);
    for (const int number : row.operands) mark(operand_at(node, number), read_);
    if (row.bias) mark(operand_at(node, *row.bias), read_);
    for (const int number : row.needs) mark(operand_at(node, number), read_);
    if (!row.joins.empty()) made_[joined_value(node, row)] = false;
    for (const int number : row.claims)
      if (operand_at(node, number) != none) claimed_.insert(operand_at(node, number));
    for (const std::size_t value : node.outputs) mark(value, made_);
  }

  std::string why_left(const ProgramNode& node, const QuantisedOperators& row) const {
    if (node.region != none) return "it stands in a body of an If, Loop or Scan";
    if (row.since_opset > graph_.origin.opset.value_or(row.since_opset))
      return "the opset is below " + std::to_string(row.since_opset);
    if (const auto* wrong = wrong_attribute(node, row))
      return "`" + wrong->first + "` is not " + std::to_string(wrong->second);
    if (row.largest && has_larger_number(node, *row.largest))
      return "a constant is too large for its histogram";
    const auto is_claimed = [&](int number) { return claimed_.contains(operand_at(node, number)); };
    if (row.claimed_once && std::ranges::any_of(row.claims, is_claimed))
      return "its weight is quantised for another node";
    const auto is_no_float = [&](std::size_t value) {
      return value != none && !can_be_quantised(value);
    };
    if (row.one_dtype && std::ranges::any_of(node.inputs, is_no_float))
      return "an operand is no float tensor";
    std::string why = why_no_pattern(node, row);
    return why.empty() ? why_operand_missing(node, row) : why;
  }

  /// Only where nothing else sees the value that disappears.
  bool is_removed(const ProgramNode& node, const QuantisedOperators& row) const {
    const std::size_t value = operand_at(node, 0);
    if (!row.removed || value == none || readers_[value].size() != 1 || at_border_[value])
      return false;
    if (row.into.empty()) return true;
    const std::size_t maker = program_.values[value].maker;
    return maker != none && contains(row.into, bare_operator(program_.nodes[maker].schema));
  }

  /// Which operand that the quantiser needs is not quantised; empty if all are.
  std::string why_operand_missing(const ProgramNode& node, const QuantisedOperators& row) const {
    for (const int number : row.needs) {
      const std::size_t value = operand_at(node, number);
      const bool constant = row.or_constant && value != none && program_.values[value].stored();
      if (is_quantised(value) || (constant && can_be_quantised(value))) continue;
      return value != none && !can_be_quantised(value) ? "it handles integers"
                                                       : "what it reads is not quantised";
    }
    return {};
  }

  bool has_one_shape(const ProgramNode& pair) const {
    const auto& shape = program_.values[pair.inputs[0]].type.shape;
    return shape && shape == program_.values[pair.inputs[1]].type.shape;
  }

  /// Why the node is part of no pattern that the quantiser takes; empty if it is, or need not be.
  std::string why_no_pattern(const ProgramNode& node, const QuantisedOperators& row) const {
    if (!has_class(node, row)) return "it is not the work of a module that the quantiser looks for";
    if (row.joins_alone && !is_pair(node)) return "it does not combine two tensors";
    if (!row.joins.empty() && (!is_called_once(node) || joined_value(node, row) == none))
      return "it follows no layer that it could be computed with";
    if (!row.read_by.empty() && !is_result_read_by(node, row.read_by))
      return "nothing that is quantised reads it";
    if (row.same_shape && !(is_pair(node) && has_one_shape(node)))
      return "its operands are not two tensors of one shape";
    if (row.needs_all && std::ranges::any_of(node.inputs, [&](std::size_t value) {
          return value != none && !is_quantised(value);
        }))
      return "what it reads is not quantised";
    return {};
  }

  /// The module whose work a node is.
  ModuleId module_of(const ProgramNode& node) const {
    if (node.op == none) return none;
    const Op& op = graph_.op(node.op);
    return op.kind == OpKind::module ? op.module : op.parent;
  }

  /// A part of a pattern has one result. Each path to a module counts as a module of its own.
  bool is_called_once(const ProgramNode& node) const {
    const ModuleId module = module_of(node);
    const auto found = calls_.find(module);
    if (module == none || found == calls_.end()) return true;
    const auto count = found->second.find(bare_operator(node.schema));
    return count == found->second.end() ||
           count->second <= 1 + graph_.module(module).aliases.size();
  }

  bool has_class(const ProgramNode& node, const QuantisedOperators& row) const {
    if (row.classes.empty()) return true;
    const ModuleId module = module_of(node);
    return module != none && contains(row.classes, graph_.module(module).class_name);
  }

  /// Looks past what is removed: a batch norm between the two.
  bool is_read_by(std::size_t value, const std::vector<std::string>& operators) const {
    return std::ranges::any_of(readers_[value], [&](const ValueReader& at) {
      const std::size_t id = at.node;
      const ProgramNode& reader = program_.nodes[id];
      if (contains(operators, bare_operator(reader.schema)))
        return rows_[id] == nullptr || has_class(reader, *rows_[id]);
      return rows_[id] != nullptr && rows_[id]->removed && !reader.outputs.empty() &&
             reader.outputs[0] != none && is_read_by(reader.outputs[0], operators);
    });
  }

  /// Whether one of these operators reads the result; true of a node without one.
  bool is_result_read_by(const ProgramNode& node, const std::vector<std::string>& operators) const {
    return node.outputs.empty() || node.outputs[0] == none ||
           is_read_by(node.outputs[0], operators);
  }

  /// The operand whose maker the node is taken with; `none` if there is none.
  std::size_t joined_value(const ProgramNode& node, const QuantisedOperators& row) const {
    for (const std::size_t value : node.inputs) {
      if (value == none || !made_[value] || (row.joins_alone && readers_[value].size() != 1))
        continue;
      std::size_t maker = program_.values[value].maker;
      while (maker != none && removed_[maker])
        maker = program_.values[operand_at(program_.nodes[maker], 0)].maker;
      if (maker != none && contains(row.joins, bare_operator(program_.nodes[maker].schema)) &&
          is_called_once(program_.nodes[maker]))
        return value;
    }
    return none;
  }

  void mark(std::size_t value, std::vector<bool>& where) {
    if (can_be_quantised(value)) where[value] = true;
  }

  bool can_be_quantised(std::size_t value) const {
    return value != none && contains(rules_.dtypes, program_.values[value].type.dtype);
  }

  bool is_quantised(std::size_t value) const {
    return value != none && (made_[value] || (!rules_.asks_maker && read_[value]));
  }

  /// The operands by which a node counts as quantised.
  std::vector<std::size_t> operands_of(const ProgramNode& node,
                                       const QuantisedOperators& row) const {
    if (row.all_operands) return node.inputs;
    std::vector<std::size_t> operands;
    for (const auto* numbers : {&row.operands, &row.needs})
      for (const int number : *numbers) operands.push_back(operand_at(node, number));
    return operands;
  }

  void judge_by_values(const ProgramNode& node, const QuantisedOperators& row,
                       PlannedNode& planned) const {
    std::size_t marked = 0;
    std::size_t missing = none;
    std::size_t values = 0;
    const auto count = [&](std::size_t value) {
      if (!can_be_quantised(value)) return;
      ++values;
      if (made_[value] || read_[value])
        ++marked;
      else if (missing == none)
        missing = value;
    };
    for (const std::size_t value : operands_of(node, row)) count(value);
    for (const std::size_t value : node.outputs) count(value);
    planned.state = marked == 0       ? PlannedNode::State::stays
                    : missing == none ? PlannedNode::State::quantised
                                      : PlannedNode::State::partly;
    if (values == 0)
      planned.reason = "it handles integers";
    else if (planned.state == PlannedNode::State::partly)
      planned.reason = "`" + program_.values[missing].name + "` is not quantised";
  }

  const ConnectedGraph& graph_;
  const Program& program_;
  const QuantiserRules& rules_;
  std::vector<const QuantisedOperators*> rows_; ///< by node
  std::vector<std::vector<ValueReader>> readers_;
  std::vector<bool> read_, made_; ///< values: quantised for a reader, by the maker
  std::vector<bool> at_border_;   ///< inputs and outputs of the model
  std::vector<std::string> left_; ///< by node: why it is left; empty if it is not
  std::vector<bool> removed_;
  std::set<std::size_t> claimed_;                                             ///< weights
  std::map<ModuleId, std::map<std::string, std::size_t, std::less<>>> calls_; ///< by operator
};

} // namespace

std::vector<JudgedNode> judge_by_values(const ConnectedGraph& graph, const QuantiserRules& rules) {
  return QuantisedValues(graph, rules).judge_all();
}

} // namespace model_validator::rules
