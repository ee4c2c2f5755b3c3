#pragma once

#include "connected_graph/flat_node.h"
#include "connected_graph/node_runs.h"

#include <model_validator/graph_builder.h>

#include <cstddef>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace model_validator {

/// Builds a ConnectedGraph from a flat list of nodes: nodes that ran inside a torch.nn leaf become
/// one module op with the nodes as its body, other nodes that came from one operator become one
/// functional op, and calls are counted module by module.
class GraphAssembler {
public:
  /// The output of an op that a value became; no op for what stays inside one.
  struct Producer {
    OpId op = none;
    std::size_t output = 0;
  };

  /// @param max_ops  more nodes are rejected
  GraphAssembler(GraphBuilder& graph, std::string path, std::size_t max_ops);

  ValueId add_value(std::string name, TensorType type);
  const FlatValue& value(ValueId id) const { return values_[id]; }
  void set_quantisation(ValueId id, std::shared_ptr<const Quantisation> quantisation) {
    values_[id].quantisation = std::move(quantisation);
  }

  void add_input(ValueId value);
  /// @param value  `none` if the output is not a tensor made by an op
  void add_output(std::string name, ValueId value);
  /// Adds nodes in execution order. @throws Error (`too-large`)
  void add(FlatNode node);

  const std::vector<FlatNode>& nodes() const noexcept { return nodes_; }
  const std::vector<FlatValue>& values() const noexcept { return values_; }
  const std::vector<ValueId>& inputs() const noexcept { return inputs_; }
  /// Names and values.
  const std::vector<std::pair<std::string, ValueId>>& outputs() const noexcept { return outputs_; }
  /// The op that a node became part of, after `finish`.
  OpId op_of(std::size_t node) const { return op_of_node_.at(node); }
  /// After `finish`.
  const Producer& producer_of(ValueId value) const { return producers_.at(value); }
  /// After merging modules: the new module for each old one.
  void rename_modules(const std::vector<ModuleId>& now);

  /// Numbers adjacent calls of one module, for a file that does not. Modules must be classified by
  /// now.
  void number_calls();
  /// Adds the calls of modules that run no operator, as far as lines of Python show them. Modules
  /// must be classified by now, and the whole hierarchy known.
  void add_silent_calls();

  /// Writes ops, products and calls. Modules must be classified by now.
  void finish();

private:
  void mark_uses(const std::vector<NodeRun>& runs);
  void write_input(ValueId value);
  void write_output(const std::string& name, ValueId value);
  void write_run(const NodeRun& run);
  std::string connections_within(const NodeRun& run) const;
  Op describe(const NodeRun& run) const;
  void describe_module_call(const NodeRun& run, Op& op) const;
  void describe_operator(const NodeRun& run, Op& op) const;
  std::vector<ParameterId> parameters_of(const NodeRun& run) const;
  void write_products(const NodeRun& run, OpId op);
  void write_outputs(const NodeRun& run, OpId op);
  Operator operator_of(const FlatNode& node) const;
  std::string next_name(const std::string& type);
  std::string claim_name(const std::string& name);

  GraphBuilder& graph_;
  std::string path_;
  std::size_t max_ops_;
  std::size_t counter_ = 0;
  std::unordered_set<std::string> names_;
  std::vector<FlatNode> nodes_;
  std::vector<FlatValue> values_;
  std::vector<Producer> producers_;
  std::vector<ValueId> inputs_;
  std::vector<std::pair<std::string, ValueId>> outputs_;
  std::vector<bool> used_outside_; ///< by another run or as an output of the model
  std::vector<bool> used_;
  std::vector<OpId> op_of_node_;
};

} // namespace model_validator
