#include "connected_graph/graph_assembler.h"

#include "connected_graph/call_sites.h"
#include "connected_graph/canonical_type.h"
#include "connected_graph/node_runs.h"
#include "connected_graph/op_type.h"
#include "connected_graph/repeated_calls.h"
#include "connected_graph/silent_calls.h"

#include <model_validator/error.h>

#include <set>
#include <unordered_map>

namespace model_validator {

GraphAssembler::GraphAssembler(GraphBuilder& graph, std::string path, std::size_t max_ops)
    : graph_(graph), path_(std::move(path)), max_ops_(max_ops) {}

ValueId GraphAssembler::add_value(std::string name, TensorType type) {
  values_.push_back({std::move(name), std::move(type)});
  return values_.size() - 1;
}

void GraphAssembler::add_input(ValueId value) { inputs_.push_back(value); }

void GraphAssembler::add_output(std::string name, ValueId value) {
  outputs_.emplace_back(std::move(name), value);
}

void GraphAssembler::add(FlatNode node) {
  if (nodes_.size() >= max_ops_)
    throw Error(ErrorKind::too_large, path_,
                "the model has more than " + std::to_string(max_ops_) + " operators",
                "export a part of it; a program of your own can raise ReadOptions::max_ops");
  nodes_.push_back(std::move(node));
}

void GraphAssembler::rename_modules(const std::vector<ModuleId>& now) {
  for (FlatNode& node : nodes_)
    for (ModuleCall& call : node.stack) call.module = now.at(call.module);
}

void GraphAssembler::number_calls() { number_repeated_calls(graph_, nodes_); }

void GraphAssembler::add_silent_calls() {
  for (const SilentCall& call : silent_calls(graph_, nodes_)) {
    CallSite site;
    site.frame = call.frame;
    site.region = call.region;
    graph_.modules()[call.module].call_sites.push_back(std::move(site));
  }
}

void GraphAssembler::finish() {
  const std::vector<NodeRun> runs = split_into_runs(graph_, nodes_);
  mark_uses(runs);
  producers_.assign(values_.size(), {});
  op_of_node_.assign(nodes_.size(), none);
  for (const ValueId value : inputs_) write_input(value);
  std::string connections;
  for (const NodeRun& run : runs) {
    write_run(run);
    connections += connections_within(run);
  }
  if (!connections.empty())
    graph_.origin.statements.push_back({"wiring within ops", std::move(connections)});
  for (const auto& [name, value] : outputs_) write_output(name, value);
  record_call_sites(graph_, nodes_, op_of_node_);
}

void GraphAssembler::mark_uses(const std::vector<NodeRun>& runs) {
  std::vector<std::size_t> maker(values_.size(), none);
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (std::size_t i = runs[r].begin; i < runs[r].end; ++i)
      for (const ValueId value : nodes_[i].outputs) maker[value] = r;

  used_.assign(values_.size(), false);
  used_outside_.assign(values_.size(), false);
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (std::size_t i = runs[r].begin; i < runs[r].end; ++i)
      for (const ValueId value : nodes_[i].inputs) {
        if (value == none) continue;
        used_[value] = true;
        if (maker[value] != r) used_outside_[value] = true;
      }
  for (const auto& [name, value] : outputs_)
    if (value != none) used_outside_[value] = true;
}

void GraphAssembler::write_input(ValueId value) {
  Op op;
  op.type = "input";
  op.kind = OpKind::input;
  op.name = claim_name(values_[value].name.empty() ? "input" : values_[value].name);
  op.outputs = {values_[value].type};
  producers_[value] = {graph_.add_op(std::move(op)), 0};
}

void GraphAssembler::write_output(const std::string& name, ValueId value) {
  Op op;
  op.type = "output";
  op.kind = OpKind::output;
  op.name = claim_name("output_" + std::to_string(graph_.outputs().size()));
  op.attributes = {{"name", name}};
  const OpId id = graph_.add_op(std::move(op));
  if (value == none || producers_[value].op == none) return;
  graph_.add_product(producers_[value].op, id,
                     {values_[value].name, producers_[value].output, 0, values_[value].type,
                      values_[value].quantisation});
}

void GraphAssembler::write_run(const NodeRun& run) {
  const OpId id = graph_.add_op(describe(run));
  graph_.op(id).name = next_name(graph_.op(id).type);
  write_products(run, id);
  write_outputs(run, id);
  for (std::size_t i = run.begin; i < run.end; ++i) {
    op_of_node_[i] = id;
    for (const RegionId region : nodes_[i].owned_regions) graph_.regions()[region].op = id;
  }
}

/// How an op that stands for several nodes connects them: their operands and results, numbered as
/// they appear. The graph itself shows what goes in and comes out.
std::string GraphAssembler::connections_within(const NodeRun& run) const {
  if (run.end - run.begin == 1) return {};
  std::unordered_map<ValueId, std::size_t> numbers;
  std::string text;
  const auto add = [&](const std::vector<ValueId>& values) {
    for (const ValueId value : values) {
      if (value != none)
        text += std::to_string(numbers.try_emplace(value, numbers.size()).first->second);
      text += ',';
    }
  };
  for (std::size_t i = run.begin; i < run.end; ++i) {
    add(nodes_[i].inputs);
    text += '>';
    add(nodes_[i].outputs);
  }
  return text + ';';
}

Op GraphAssembler::describe(const NodeRun& run) const {
  const FlatNode& first = nodes_[run.begin];
  const bool several = run.end - run.begin > 1;
  Op op;
  op.region = first.region;
  op.parameters = parameters_of(run);
  if (run.leaf.module != none)
    describe_module_call(run, op);
  else
    describe_operator(run, op);
  if (run.leaf.module != none || several || op.schema != first.schema) {
    auto body = std::make_shared<std::vector<Operator>>();
    for (std::size_t i = run.begin; i < run.end; ++i) body->push_back(operator_of(nodes_[i]));
    op.body = std::move(body);
  }
  return op;
}

void GraphAssembler::describe_module_call(const NodeRun& run, Op& op) const {
  const FlatNode& first = nodes_[run.begin];
  const Module& leaf = graph_.module(run.leaf.module);
  op.kind = OpKind::module;
  op.module = run.leaf.module;
  op.type = type_of_class(leaf.class_name);
  // An exporter's optimiser folds a batch norm into the convolution before it, in the norm's name.
  if (run.end - run.begin == 1 && op.type.starts_with("batch_norm"))
    if (auto type = canonical_type(first.schema, first.attributes); type.starts_with("conv"))
      op.type = std::move(type);
  op.parent = first.stack.size() > 1 ? first.stack[first.stack.size() - 2].module : leaf.parent;
  op.frame = call_frame(graph_, first, first.stack.size() - 1);
}

void GraphAssembler::describe_operator(const NodeRun& run, Op& op) const {
  const FlatNode& first = nodes_[run.begin];
  op.kind = first.kind;
  op.parent = first.stack.empty() ? none : first.stack.back().module;
  op.frame = first.frame;
  op.type = first.origin_type.empty() ? first.type : first.origin_type;
  op.schema = first.origin_schema.empty() ? first.schema : first.origin_schema;
  if (run.end - run.begin == 1) op.attributes = first.attributes;
  for (std::size_t i = run.begin; i < run.end; ++i)
    if (nodes_[i].kind == OpKind::functional) op.kind = OpKind::functional;
}

std::vector<ParameterId> GraphAssembler::parameters_of(const NodeRun& run) const {
  std::vector<ParameterId> all;
  std::unordered_set<ParameterId> seen;
  for (std::size_t i = run.begin; i < run.end; ++i)
    for (const ParameterId parameter : nodes_[i].parameters)
      if (seen.insert(parameter).second) all.push_back(parameter);
  return all;
}

Operator GraphAssembler::operator_of(const FlatNode& node) const {
  Operator description{node.schema, node.attributes, graph_.location(node.frame), {}};
  for (const ValueId value : node.inputs)
    if (value != none) description.dtypes.push_back(values_[value].type.dtype);
  return description;
}

void GraphAssembler::write_products(const NodeRun& run, OpId op) {
  const bool several = run.end - run.begin > 1;
  std::set<ValueId> seen;
  for (std::size_t i = run.begin; i < run.end; ++i)
    for (std::size_t operand = 0; operand < nodes_[i].inputs.size(); ++operand) {
      const ValueId value = nodes_[i].inputs[operand];
      if (value == none || producers_[value].op == none) continue;
      if (several && !seen.insert(value).second) continue;
      const std::size_t position = several ? seen.size() - 1 : operand;
      graph_.add_product(producers_[value].op, op,
                         {values_[value].name, producers_[value].output, position,
                          values_[value].type, values_[value].quantisation});
    }
}

void GraphAssembler::write_outputs(const NodeRun& run, OpId op) {
  const bool several = run.end - run.begin > 1;
  for (std::size_t i = run.begin; i < run.end; ++i)
    for (const ValueId value : nodes_[i].outputs) {
      if (several && used_[value] && !used_outside_[value]) continue;
      producers_[value] = {op, graph_.op(op).outputs.size()};
      graph_.op(op).outputs.push_back(values_[value].type);
    }
}

std::string GraphAssembler::next_name(const std::string& type) {
  return claim_name(std::string(start_of_name(type)) + "_" + std::to_string(counter_++));
}

/// An input of the model may have the name that an op would get.
std::string GraphAssembler::claim_name(const std::string& name) {
  std::string unique = name;
  while (!names_.insert(unique).second) unique = name + "_" + std::to_string(counter_++);
  return unique;
}

} // namespace model_validator
