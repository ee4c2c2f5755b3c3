#include "partition/torchscript/program.h"

#include "connected_graph/torchscript/written_nodes.h"
#include "connected_graph/unfolding.h"
#include "partition/torchscript/unit_graph.h"

namespace model_validator::partition {
namespace {

using torch::jit::Value;

/// Pieces never write into their inputs: what the model changes of its own is a copy.
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
  program.memory = std::make_unique<Memory>(program.flat.graph(), *program.units);
}

void add_constraints(Program& program, const std::vector<std::vector<std::size_t>>& inseparable) {
  for (const auto& group : inseparable) {
    std::vector<OpId> ops;
    for (const std::size_t unit : group)
      if (program.op_of_unit[unit] != none) ops.push_back(program.op_of_unit[unit]);
    if (ops.size() > 1) program.constraints.inseparable.push_back(std::move(ops));
  }
  for (const auto& [first, second] : ordered_units(*program.units)) {
    const OpId from = program.op_of_unit[first], to = program.op_of_unit[second];
    if (from != none && to != none) program.constraints.order.emplace_back(from, to);
  }
}

} // namespace

Program make_program(const torch::jit::Module& module, const OpenOptions& options) {
  Program program;
  program.source = module;
  program.flat =
      flatten(module, unfolding_limit(torchscript::written_nodes(module), options.read.max_ops));
  program.units = std::make_unique<Units>(*program.flat.graph());
  program.memory = std::make_unique<Memory>(program.flat.graph(), *program.units);
  copy_written_inputs(program);
  program.result = take_apart(*program.flat.graph());
  auto inseparable = program.memory->inseparable();
  for (auto& group : bound_units(*program.units)) inseparable.push_back(std::move(group));
  const auto live = live_units(*program.units, program.result, inseparable);
  ValueTypes types;
  if (!options.inputs.specs.empty() || !options.inputs.files.empty())
    types = infer_shapes(program.flat, module, options.inputs);
  program.op_of_unit = describe_units(program.flat, *program.units, live, program.result, module,
                                      types, program.graph);
  add_constraints(program, inseparable);
  return program;
}

} // namespace model_validator::partition
