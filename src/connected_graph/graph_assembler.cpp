#include "connected_graph/graph_assembler.h"

#include "connected_graph/call_sites.h"
#include "connected_graph/canonical_type.h"
#include "connected_graph/node_runs.h"
#include "connected_graph/op_type.h"
#include "connected_graph/quantised_role.h"
#include "connected_graph/repeated_calls.h"
#include "connected_graph/silent_calls.h"

#include <model_validator/error.h>

#include <set>
#include <unordered_map>

namespace model_validator {

GraphAssembler::GraphAssembler(GraphBuilder& graph, std::string path, std::size_t max_ops)
    : graph_(graph), path_(std::move(path)), max_ops_(max_ops) {}

ValueId GraphAssembler::add_value(ProgramValue value) {
  program_.values.push_back(std::move(value));
  return program_.values.size() - 1;
}

void GraphAssembler::add_input(ValueId value) {
  program_.values[value].origin = Origin::input;
  program_.inputs.push_back(value);
}

void GraphAssembler::add_output(std::string name, ValueId value) {
  program_.outputs.emplace_back(std::move(name), value);
}

void GraphAssembler::add(ProgramNode node) {
  if (nodes().size() >= max_ops_)
    throw Error(ErrorKind::too_large, path_,
                "the model has more than " + std::to_string(max_ops_) + " operators",
                "export a part of it; a program of your own can raise ReadOptions::max_ops");
  node.role = quantised_role(node.schema);
  program_.quantised = program_.quantised || node.role != QuantisedRole::other;
  for (const ValueId value : node.outputs)
    if (node.kind == OpKind::constant)
      program_.values[value].origin = Origin::stored;
    else
      program_.values[value].maker = nodes().size();
  program_.nodes.push_back(std::move(node));
}

void GraphAssembler::rename_modules(const std::vector<ModuleId>& now) {
  for (ProgramNode& node : program_.nodes)
    for (ModuleCall& call : node.stack) call.module = now.at(call.module);
}

void GraphAssembler::number_calls() { number_repeated_calls(graph_, program_.nodes); }

void GraphAssembler::add_silent_calls() {
  for (const SilentCall& call : silent_calls(graph_, nodes())) {
    CallSite site;
    site.frame = call.frame;
    site.region = call.region;
    graph_.modules()[call.module].call_sites.push_back(std::move(site));
  }
}

void GraphAssembler::finish() {
  const std::vector<NodeRun> runs = split_into_runs(graph_, nodes());
  mark_uses(runs);
  producers_.assign(program_.values.size(), {});
  for (const ValueId value : program_.inputs) write_input(value);
  std::string connections;
  for (const NodeRun& run : runs) {
    write_run(run);
    connections += connections_within(run);
  }
  if (!connections.empty())
    graph_.origin.statements.push_back({"wiring within ops", std::move(connections)});
  for (const auto& [name, value] : outputs()) write_output(name, value);
  record_call_sites(graph_, nodes());
}

ValueId GraphAssembler::made(ValueId value) const {
  while (value != none && program_.values[value].origin == Origin::body)
    value = program_.values[value].begins_as;
  return value != none && program_.values[value].held ? none : value;
}

std::vector<Attribute> GraphAssembler::shown_attributes(const ProgramNode& node) const {
  std::vector<Attribute> all = node.arguments;
  all.insert(all.end(), node.attributes.begin(), node.attributes.end());
  return all;
}

void GraphAssembler::mark_uses(const std::vector<NodeRun>& runs) {
  std::vector<std::size_t> maker(program_.values.size(), none);
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (std::size_t i = runs[r].begin; i < runs[r].end; ++i)
      for (const ValueId value : nodes()[i].outputs) maker[value] = r;

  used_.assign(program_.values.size(), false);
  used_outside_.assign(program_.values.size(), false);
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (std::size_t i = runs[r].begin; i < runs[r].end; ++i)
      for (const ValueId input : nodes()[i].inputs) {
        const ValueId value = made(input);
        if (value == none) continue;
        used_[value] = true;
        if (maker[value] != r) used_outside_[value] = true;
      }
  for (const auto& [name, value] : outputs())
    if (value != none) used_outside_[value] = true;
}

void GraphAssembler::write_input(ValueId value) {
  Op op;
  op.type = "input";
  op.kind = OpKind::input;
  op.name = claim_name(program_.values[value].name.empty() ? "input" : program_.values[value].name);
  op.outputs = {program_.values[value].type};
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
                     {program_.values[value].name, producers_[value].output, 0,
                      program_.values[value].type, program_.values[value].quantisation});
}

void GraphAssembler::write_run(const NodeRun& run) {
  const OpId id = graph_.add_op(describe(run));
  graph_.op(id).name = next_name(graph_.op(id).type);
  write_products(run, id);
  write_outputs(run, id);
  for (std::size_t i = run.begin; i < run.end; ++i) {
    program_.nodes[i].op = id;
    for (const RegionId region : nodes()[i].owned_regions) graph_.regions()[region].op = id;
  }
}

/// How an op that stands for several nodes connects them: their operands and results, numbered as
/// they appear. The graph itself shows what goes in and comes out.
std::string GraphAssembler::connections_within(const NodeRun& run) const {
  if (run.end - run.begin == 1) return {};
  std::unordered_map<ValueId, std::size_t> numbers;
  std::string text;
  const auto add = [&](const std::vector<ValueId>& values) {
    for (const ValueId each : values) {
      if (const ValueId value = made(each); value != none)
        text += std::to_string(numbers.try_emplace(value, numbers.size()).first->second);
      text += ',';
    }
  };
  for (std::size_t i = run.begin; i < run.end; ++i) {
    add(nodes()[i].inputs);
    text += '>';
    add(nodes()[i].outputs);
  }
  return text + ';';
}

Op GraphAssembler::describe(const NodeRun& run) const {
  const ProgramNode& first = nodes()[run.begin];
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
    for (std::size_t i = run.begin; i < run.end; ++i) body->push_back(operator_of(nodes()[i]));
    op.body = std::move(body);
  }
  return op;
}

void GraphAssembler::describe_module_call(const NodeRun& run, Op& op) const {
  const ProgramNode& first = nodes()[run.begin];
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
  const ProgramNode& first = nodes()[run.begin];
  op.kind = first.kind;
  op.parent = first.stack.empty() ? none : first.stack.back().module;
  op.frame = first.frame;
  op.type = first.origin_type.empty() ? first.type : first.origin_type;
  op.schema = first.origin_schema.empty() ? first.schema : first.origin_schema;
  if (run.end - run.begin == 1) op.attributes = shown_attributes(first);
  for (std::size_t i = run.begin; i < run.end; ++i)
    if (nodes()[i].kind == OpKind::functional) op.kind = OpKind::functional;
}

std::vector<ParameterId> GraphAssembler::parameters_of(const NodeRun& run) const {
  std::vector<ParameterId> all;
  std::unordered_set<ParameterId> seen;
  for (std::size_t i = run.begin; i < run.end; ++i)
    for (const ValueId value : nodes()[i].inputs)
      if (const ParameterId parameter = program_.parameter_of(value);
          parameter != none && seen.insert(parameter).second)
        all.push_back(parameter);
  return all;
}

Operator GraphAssembler::operator_of(const ProgramNode& node) const {
  Operator description{node.schema, shown_attributes(node), graph_.location(node.frame), {}};
  for (const ValueId input : node.inputs)
    if (const ValueId value = made(input); value != none)
      description.dtypes.push_back(program_.values[value].type.dtype);
  return description;
}

void GraphAssembler::write_products(const NodeRun& run, OpId op) {
  const bool several = run.end - run.begin > 1;
  std::set<ValueId> seen;
  for (std::size_t i = run.begin; i < run.end; ++i)
    for (std::size_t operand = 0; operand < nodes()[i].inputs.size(); ++operand) {
      const ValueId value = made(nodes()[i].inputs[operand]);
      if (value == none || producers_[value].op == none) continue;
      if (several && !seen.insert(value).second) continue;
      const std::size_t position = several ? seen.size() - 1 : operand;
      graph_.add_product(producers_[value].op, op,
                         {program_.values[value].name, producers_[value].output, position,
                          program_.values[value].type, program_.values[value].quantisation});
    }
}

void GraphAssembler::write_outputs(const NodeRun& run, OpId op) {
  const bool several = run.end - run.begin > 1;
  for (std::size_t i = run.begin; i < run.end; ++i)
    for (const ValueId value : nodes()[i].outputs) {
      if (several && used_[value] && !used_outside_[value]) continue;
      producers_[value] = {op, graph_.op(op).outputs.size()};
      graph_.op(op).outputs.push_back(program_.values[value].type);
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
