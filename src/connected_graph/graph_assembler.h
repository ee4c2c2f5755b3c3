#pragma once

#include "connected_graph/node_runs.h"

#include <model_validator/graph_builder.h>
#include <model_validator/program.h>

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace model_validator {

/// Holds the program that a front end writes node by node, and builds a ConnectedGraph from it:
/// nodes that ran inside a torch.nn leaf become
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

  ValueId add_value(std::string name, TensorType type) {
    return add_value({.name = std::move(name), .type = std::move(type)});
  }
  ValueId add_value(ProgramValue value);
  ProgramValue& value(ValueId id) { return program_.values[id]; }
  ProgramNode& node(std::size_t number) { return program_.nodes[number]; }

  void add_input(ValueId value);
  /// @param value  `none` if the output is not a tensor
  void add_output(std::string name, ValueId value);
  /// Adds nodes in execution order. @throws Error (`too-large`)
  void add(ProgramNode node);
  /// Adds a node whose value those that read it hold.
  void add_literal(ProgramNode node) { program_.literals.push_back(std::move(node)); }

  const Program& program() const noexcept { return program_; }
  const std::vector<ProgramNode>& nodes() const noexcept { return program_.nodes; }
  const std::vector<std::pair<std::string, ValueId>>& outputs() const noexcept {
    return program_.outputs;
  }
  /// The op that a node became part of, after `finish`.
  OpId op_of(std::size_t node) const { return program_.nodes.at(node).op; }
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
  /// Hands the program over, after `finish`.
  std::shared_ptr<const Program> take_program() {
    return std::make_shared<const Program>(std::move(program_));
  }

private:
  /// What an op makes of it; `none` for what its readers hold.
  ValueId made(ValueId value) const;
  std::vector<Attribute> shown_attributes(const ProgramNode& node) const;
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
  Operator operator_of(const ProgramNode& node) const;
  std::string next_name(const std::string& type);
  std::string claim_name(const std::string& name);

  GraphBuilder& graph_;
  std::string path_;
  std::size_t max_ops_;
  std::size_t counter_ = 0;
  std::unordered_set<std::string> names_;
  Program program_;
  std::vector<Producer> producers_;
  std::vector<bool> used_outside_; ///< by another run or as an output of the model
  std::vector<bool> used_;
};

} // namespace model_validator
