#include "partition/torchscript/program.h"

#include "connected_graph/torchscript/builder.h"
#include "connected_graph/torchscript/code/attribute_value.h"
#include "connected_graph/torchscript/code/file_operators.h"
#include "connected_graph/torchscript/code/operator_description.h"
#include "connected_graph/torchscript/code/written_nodes.h"
#include "connected_graph/torchscript/ir/nested_nodes.h"
#include "connected_graph/unfolding.h"
#include "partition/torchscript/inlining.h"
#include "partition/torchscript/node_ops.h"
#include "partition/torchscript/recording.h"
#include "partition/unit_ops.h"
#include "verify/run/op_name.h"
#include "verify/run/signature.h"
#include "verify/trace/trace_model.h"

#include <model_validator/trace.h>

#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace model_validator::partition {
namespace {

/// A list or dict may be changed after it is made: then it is a value like any other.
bool only_returned(const Value* value) {
  return std::all_of(value->uses().begin(), value->uses().end(), [](const torch::jit::Use& use) {
    const auto kind = use.user->kind();
    return kind == prim::Return || kind == prim::TupleConstruct || kind == prim::ListConstruct ||
           kind == prim::DictConstruct;
  });
}

/// The keys of a dict as Python writes them; nothing if one is computed.
std::optional<std::vector<std::string>> keys_of(Node& dict) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < dict.inputs().size(); i += 2) {
    const auto key = torch::jit::toIValue(dict.input(i));
    if (!key || !(key->isString() || key->isInt())) return std::nullopt;
    keys.push_back(key->isString() ? "'" + key->toStringRef() + "'" : std::to_string(key->toInt()));
  }
  return keys;
}

Returned take_apart(Value* value);

std::vector<Returned> each_apart(Node& node) {
  std::vector<Returned> items;
  for (Value* item : node.inputs()) items.push_back(take_apart(item));
  return items;
}

Returned take_apart(Value* value) {
  Returned result;
  result.value = value;
  Node& node = *value->node();
  if (value->mustBeNone()) {
    result.kind = Returned::Kind::none;
  } else if (node.kind() == prim::TupleConstruct) {
    result.kind = Returned::Kind::tuple;
    if (const auto type = value->type()->cast<c10::TupleType>(); type && type->schema())
      for (const auto& field : type->schema()->arguments()) result.keys.push_back(field.name());
    result.items = each_apart(node);
  } else if (node.kind() == prim::ListConstruct && only_returned(value)) {
    result.kind = Returned::Kind::list;
    result.items = each_apart(node);
  } else if (node.kind() == prim::DictConstruct && only_returned(value)) {
    const auto keys = keys_of(node);
    if (!keys) return result;
    result.kind = Returned::Kind::dict;
    result.keys = *keys;
    for (std::size_t i = 1; i < node.inputs().size(); i += 2)
      result.items.push_back(take_apart(node.inputs()[i]));
  }
  return result;
}

void collect(const Returned& returned, std::vector<Value*>& values) {
  if (returned.kind == Returned::Kind::value) values.push_back(returned.value);
  for (const Returned& item : returned.items) collect(item, values);
}

/// Takes the graph's result apart: nodes that only build tuples, lists and dicts for the caller
/// belong to no subgraph.
Returned take_apart(Graph& graph) { return take_apart(graph.outputs().at(0)); }

/// The values at the leaves, in order.
std::vector<Value*> leaves(const Returned& returned) {
  std::vector<Value*> values;
  collect(returned, values);
  return values;
}

/// Subgraphs never write into their inputs: the model changes a copy instead.
void copy_written_inputs(Program& program) {
  Graph& graph = *program.flat.graph;
  const auto written = program.memory->written_inputs();
  if (written.empty()) return;
  for (Value* input : written) {
    const torch::jit::WithInsertPoint start(*graph.nodes().begin());
    Value* copy = graph.insert(aten::clone, {input});
    input->replaceAllUsesAfterNodeWith(copy->node(), copy);
  }
  program.units = std::make_unique<Units>(graph);
  program.memory = std::make_unique<Memory>(program.flat, *program.units);
}

std::vector<Attribute> constant_arguments(const Node& node) {
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

/// Sets the body of each op to the operators that a target gets: those left of it, without sizes
/// and numbers.
void describe_bodies(const Units& units, const std::vector<bool>& queries, const DataFlow& flow,
                     GraphBuilder& graph) {
  std::map<OpId, std::vector<Operator>> bodies;
  for (UnitNumber unit = 0; unit < units.size(); ++unit)
    if (const OpId op = flow.ops[unit]; op != none && graph.op(op).body && !queries[unit])
      torchscript::for_nested_nodes(*units[unit].node, [&body = bodies[op]](const Node& node) {
        if (node.kind() != prim::Constant && node.kind() != prim::GetAttr)
          body.push_back({torchscript::schema_of(node), constant_arguments(node), {}, {}});
      });
  for (auto& [op, body] : bodies)
    graph.op(op).body = std::make_shared<const std::vector<Operator>>(std::move(body));
}

ValueNumbers number_values(Graph& graph, const Units& units, const Returned& result) {
  ValueNumbers found;
  std::unordered_map<const Value*, ValueNumber> numbers;
  const auto number = [&](Value* value) {
    const auto [entry, fresh] = numbers.try_emplace(value, found.values.size());
    if (fresh) {
      found.values.push_back(value);
      found.flow.makers.push_back(units.maker(value));
    }
    return entry->second;
  };
  for (Value* input : graph.inputs().slice(1)) number(input); // after the module itself
  found.flow.input_count = found.values.size();
  for (const Unit& unit : units.all())
    for (Value* made : unit.node->outputs()) number(made);
  for (const Unit& unit : units.all()) {
    auto& reads = found.flow.reads.emplace_back();
    for (Value* read : unit.reads)
      if (read != graph.inputs()[0]) reads.push_back(number(read));
  }
  for (Value* value : leaves(result)) found.flow.results.push_back(number(value));
  return found;
}

UnitRecords records_of(const Program& program) {
  const Units& units = *program.units;
  UnitRecords records;
  for (const Unit& unit : units.all())
    torchscript::for_nested_nodes(*unit.node,
                                  [&its = records.ops.emplace_back()](const Node& node) {
                                    const std::vector<OpId> ops = ops_of(node);
                                    its.insert(its.end(), ops.begin(), ops.end());
                                  });
  records.inseparable = program.memory->inseparable();
  for (auto& group : bound_units(units)) records.inseparable.push_back(std::move(group));
  records.order = ordered_units(units);
  records.repeatable = query_units(units);
  return records;
}

/// Of a flat graph, which `program` has already.
void find_units(Program& program) {
  program.units = std::make_unique<Units>(*program.flat.graph);
  program.memory = std::make_unique<Memory>(program.flat, *program.units);
  copy_written_inputs(program);
  program.result = take_apart(*program.flat.graph);
  program.numbers = number_values(*program.flat.graph, *program.units, program.result);
}

void match_ops(Program& program, GraphBuilder graph) {
  const UnitRecords records = records_of(program);
  program.constraints = match_units(records, graph, program.numbers.flow);
  describe_bodies(*program.units, records.repeatable, program.numbers.flow, graph);
  program.graph = std::move(graph);
}

/// The ops that the nodes of a torch.export program name.
void find_named_ops(Graph& program, const ConnectedGraph& graph) {
  std::map<std::string, OpId> named;
  for (OpId id = 0; id < graph.op_count(); ++id) named.emplace(graph.op(id).name, id);
  torchscript::for_each_node(*program.block(), [&](Node& node) {
    if (const auto found = named.find(verify::op_name_of(node)); found != named.end())
      set_ops(node, {torchscript::NodeRecord{found->second, none, {}, {}, {}, false}});
  });
}

/// Makes the program of a TorchScript module: its code as it is, where that is flat; else what runs
/// with the inputs.
class ProgramMaker {
public:
  ProgramMaker(const torch::jit::Module& module, const OpenOptions& options)
      : module_(module), options_(options) {}

  Program make() {
    graph_ = torchscript::build_graph(module_, options_.read, &map_);
    enter_shapes();
    program_.source = module_;
    try {
      require_no_state();
      program_.flat = flat();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::cannot_flatten) throw;
      program_.why_not = error;
      graph_.file_operators = torchscript::file_operators(module_, "forward");
      program_.graph = std::move(graph_);
      return std::move(program_);
    }
    find_units(program_);
    match_ops(program_, std::move(graph_));
    return std::move(program_);
  }

private:
  /// Fills in the shapes of a run with the inputs.
  void enter_shapes() {
    if (!options_.inputs.given()) return;
    const verify::Sample sample =
        verify::make_samples(verify::needs_of(module_), options_.inputs).at(0);
    const auto trace =
        verify::trace_model(module_, map_, {sample}, {.inputs = options_.inputs}, graph_);
    by_values_ = why_ended(graph_, trace);
    inputs_ = verify::to_arguments(module_, sample);
  }

  void require_no_state() const {
    for (const StateWrite& write : graph_.state_writes)
      if (write.read && !write.filled) // the recorded call fills in what is missing
        throw Error(ErrorKind::cannot_flatten, "",
                    "the model keeps `" + write.attribute +
                        "` from call to call, which subgraphs cannot share",
                    "return what it keeps, and pass it in again");
  }

  FlatModule flat() {
    try {
      return inline_calls(
          module_, map_,
          unfolding_limit(torchscript::written_nodes(module_), options_.read.max_ops));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::cannot_flatten || inputs_.empty()) throw;
    }
    if (!by_values_.empty())
      throw Error(ErrorKind::cannot_flatten, "", by_values_,
                  "without `--emit` the model is divided with its branches whole");
    program_.recorded = inputs_;
    return record(module_, inputs_, options_.read);
  }

  const torch::jit::Module& module_;
  const OpenOptions& options_;
  torchscript::NodeMap map_;
  GraphBuilder graph_;
  std::vector<c10::IValue> inputs_;
  std::string by_values_; ///< why shapes depend on values
  Program program_;
};

} // namespace

Program make_program(const torch::jit::Module& module, const OpenOptions& options) {
  return ProgramMaker(module, options).make();
}

Program make_program(verify::ProgramModule flat, const OpenOptions& options) {
  Program program;
  program.source = flat.module;
  if (options.inputs.given()) verify::trace_program(flat, {.inputs = options.inputs});
  program.flat = take_program(flat.module);
  find_named_ops(*program.flat.graph, flat.graph);
  find_units(program);
  match_ops(program, std::move(flat.graph));
  return program;
}

} // namespace model_validator::partition
