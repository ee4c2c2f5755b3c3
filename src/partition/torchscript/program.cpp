#include "partition/torchscript/program.h"

#include "connected_graph/torchscript/attribute_value.h"
#include "connected_graph/torchscript/builder.h"
#include "connected_graph/torchscript/operator_description.h"
#include "connected_graph/torchscript/written_nodes.h"
#include "connected_graph/unfolding.h"
#include "partition/rounds.h"
#include "partition/torchscript/inlined_values.h"
#include "partition/unit_ops.h"
#include "verify/run/op_name.h"
#include "verify/run/signature.h"
#include "verify/trace/trace_model.h"

#include <torch/csrc/jit/ir/constants.h>

#include <map>
#include <utility>

namespace model_validator::partition {
namespace {

using torch::jit::Value;

/// Subgraphs never write into their inputs: the model changes a copy instead.
void copy_written_inputs(Program& program) {
  torch::jit::Graph& graph = *program.flat.graph();
  const auto written = program.memory->written_inputs();
  if (written.empty()) return;
  for (Value* input : written) {
    const torch::jit::WithInsertPoint start(*graph.nodes().begin());
    Value* copy = graph.insert(torch::jit::aten::clone, {input});
    input->replaceAllUsesAfterNodeWith(copy->node(), copy);
  }
  program.units = std::make_unique<Units>(graph);
  program.memory = std::make_unique<Memory>(program.flat, *program.units);
}

/// Fills in the shapes of a run with the inputs. @return inputs that are not given and so keep
/// their defaults
FixedInputs enter_shapes(const torch::jit::Module& module, torchscript::NodeMap& map,
                         const verify::InputOptions& inputs, GraphBuilder& graph) {
  FixedInputs fixed;
  if (!inputs.given()) return fixed;
  const verify::Sample sample = verify::make_samples(verify::needs_of(module), inputs).at(0);
  verify::trace_model(module, map, {sample}, {.inputs = inputs}, graph, &map);
  const auto& arguments = module.get_method("forward").function().getSchema().arguments();
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const bool given =
        i <= sample.size() && !std::holds_alternative<verify::None>(sample[i - 1].data);
    const c10::IValue value = arguments[i].default_value().value_or(c10::IValue());
    if (!given && is_plain(value)) fixed[i] = value;
  }
  return fixed;
}

/// Finds the ops of units by the nodes of the code that they are copied from.
class UnitNodeFinder {
public:
  UnitNodeFinder(const NodeOrigins& origins, const torchscript::NodeMap& map)
      : origins_(origins), map_(map) {}

  UnitNodes find(const Units& units) {
    UnitNodes found;
    for (const Unit& unit : units.all()) collect(*unit.node, found.emplace_back());
    return found;
  }

private:
  /// The ops of a node, then those of the nodes nested in it.
  void collect(const torch::jit::Node& node, std::vector<UnitNode>& ops) {
    if (const auto origin = origins_.find(&node);
        origin != origins_.end() && origin->second.context) {
      const NodeOrigin& from = origin->second;
      const std::size_t number =
          numbers_.try_emplace({*from.context, from.node}, numbers_.size()).first->second;
      for (const auto& record : map_.at(*from.context, *from.node))
        if (record.op != none) ops.push_back({record.op, number});
    }
    for (const torch::jit::Block* block : node.blocks())
      for (const torch::jit::Node* inner : block->nodes()) collect(*inner, ops);
  }

  const NodeOrigins& origins_;
  const torchscript::NodeMap& map_;
  std::map<std::pair<torchscript::NodeMap::Context, const torch::jit::Node*>, std::size_t> numbers_;
};

std::vector<Attribute> constant_arguments(const torch::jit::Node& node) {
  std::vector<Attribute> attributes;
  const c10::FunctionSchema* schema = node.maybeSchema();
  for (std::size_t i = 0; schema != nullptr && i < node.inputs().size(); ++i) {
    const auto constant = torch::jit::toIValue(node.inputs()[i]);
    if (!constant || i >= schema->arguments().size()) continue;
    if (auto value = torchscript::attribute_of(*constant))
      attributes.push_back({schema->arguments()[i].name(), std::move(*value)});
  }
  return attributes;
}

/// The operators inside a branch or loop, and the branch or loop itself.
void collect_operators(const torch::jit::Node& node, std::vector<Operator>& operators) {
  if (node.kind() != torch::jit::prim::Constant && node.kind() != torch::jit::prim::GetAttr)
    operators.push_back({torchscript::schema_of(node), constant_arguments(node), {}, {}});
  for (const torch::jit::Block* block : node.blocks())
    for (const torch::jit::Node* inner : block->nodes()) collect_operators(*inner, operators);
}

/// Sets the body of each op to the operators that a target gets: those left of it, without sizes
/// and numbers.
void describe_bodies(const Units& units, const std::vector<bool>& queries, const DataFlow& flow,
                     GraphBuilder& graph) {
  std::map<OpId, std::vector<Operator>> bodies;
  for (UnitNumber unit = 0; unit < units.size(); ++unit)
    if (const OpId op = flow.ops[unit]; op != none && graph.op(op).body && !queries[unit])
      collect_operators(*units[unit].node, bodies[op]);
  for (auto& [op, body] : bodies)
    graph.op(op).body = std::make_shared<const std::vector<Operator>>(std::move(body));
}

UnitRecords records_of(const Program& program, std::vector<std::vector<OpId>> ops) {
  const Units& units = *program.units;
  UnitRecords records;
  records.ops = std::move(ops);
  records.inseparable = program.memory->inseparable();
  for (auto& group : bound_units(units)) records.inseparable.push_back(std::move(group));
  records.order = ordered_units(units);
  records.live = live_units(units, program.result, records.inseparable);
  records.repeatable = query_units(units);
  return records;
}

/// Of a flat graph, which `program` has already.
void find_units(Program& program) {
  program.units = std::make_unique<Units>(*program.flat.graph());
  program.memory = std::make_unique<Memory>(program.flat, *program.units);
  copy_written_inputs(program);
  program.result = take_apart(*program.flat.graph());
  program.numbers = number_values(program.flat, *program.units, program.result);
}

void match_ops(Program& program, Rounds rounds) {
  const UnitRecords records = records_of(program, std::move(rounds.ops));
  program.constraints = match_units(records, rounds.graph, program.numbers.flow);
  describe_bodies(*program.units, records.repeatable, program.numbers.flow, rounds.graph);
  program.graph = std::move(rounds.graph);
}

/// The ops whose names a node and those nested in it have.
void collect_named(const torch::jit::Node& node, const std::map<std::string, OpId>& named,
                   std::vector<OpId>& ops) {
  if (const auto found = named.find(verify::op_name_of(node)); found != named.end())
    ops.push_back(found->second);
  for (const torch::jit::Block* block : node.blocks())
    for (const torch::jit::Node* inner : block->nodes()) collect_named(*inner, named, ops);
}

std::vector<std::vector<OpId>> named_ops(const Units& units, const ConnectedGraph& graph) {
  std::map<std::string, OpId> named;
  for (OpId id = 0; id < graph.op_count(); ++id) named.emplace(graph.op(id).name, id);
  std::vector<std::vector<OpId>> ops;
  for (const Unit& unit : units.all()) collect_named(*unit.node, named, ops.emplace_back());
  return ops;
}

} // namespace

Program make_program(const torch::jit::Module& module, const OpenOptions& options) {
  Program program;
  program.source = module;
  torchscript::NodeMap map;
  GraphBuilder graph = torchscript::build_graph(module, options.read, &map);
  const FixedInputs fixed = enter_shapes(module, map, options.inputs, graph);
  program.flat = flatten(module, map, fixed,
                         unfolding_limit(torchscript::written_nodes(module), options.read.max_ops));
  find_units(program);
  match_ops(program, split_rounds(std::move(graph),
                                  UnitNodeFinder(program.flat.origins, map).find(*program.units),
                                  program.numbers.flow));
  return program;
}

Program make_program(verify::ProgramModule flat, const OpenOptions& options) {
  Program program;
  program.source = flat.module;
  if (options.inputs.given()) verify::trace_program(flat, {.inputs = options.inputs});
  program.flat = take_program(flat.module);
  find_units(program);
  auto ops = named_ops(*program.units, flat.graph);
  match_ops(program, {std::move(flat.graph), std::move(ops)});
  return program;
}

} // namespace model_validator::partition
