#pragma once

#include <model_validator/program.h>
#include <model_validator/quantise_plan.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::rules {

/// Whether a node computes with the model's tensors, not with sizes alone.
bool handles_tensors(const ConnectedGraph& graph, const ProgramNode& node);

/// Goes over the nodes as a quantiser does, and marks the values that it will quantise.
class QuantisedValues {
public:
  QuantisedValues(const ConnectedGraph& graph, const QuantiserRules& rules);

  void visit_all();
  /// What became of a node. @pre `visit_all`
  void judge(std::size_t node, PlannedNode& planned) const;
  /// What the quantiser does with such nodes; null if it does not know the operator.
  const QuantisedOperators* row_of(std::size_t node) const { return rows_[node]; }

private:
  void visit(std::size_t node);
  std::string why_left(const ProgramNode& node, const QuantisedOperators& row) const;
  bool is_removed(const ProgramNode& node, const QuantisedOperators& row) const;
  std::string why_operand_missing(const ProgramNode& node, const QuantisedOperators& row) const;
  bool has_one_shape(const ProgramNode& pair) const;
  std::string why_no_pattern(const ProgramNode& node, const QuantisedOperators& row) const;
  ModuleId module_of(const ProgramNode& node) const;
  bool is_called_once(const ProgramNode& node) const;
  bool has_class(const ProgramNode& node, const QuantisedOperators& row) const;
  bool is_read_by(std::size_t value, const std::vector<std::string>& operators) const;
  bool is_result_read_by(const ProgramNode& node, const std::vector<std::string>& operators) const;
  std::size_t joined_value(const ProgramNode& node, const QuantisedOperators& row) const;
  void mark(std::size_t value, std::vector<bool>& where);
  bool can_be_quantised(std::size_t value) const;
  bool is_quantised(std::size_t value) const;
  std::vector<std::size_t> operands_of(const ProgramNode& node,
                                       const QuantisedOperators& row) const;
  void judge_by_values(const ProgramNode& node, const QuantisedOperators& row,
                       PlannedNode& planned) const;

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

} // namespace model_validator::rules
