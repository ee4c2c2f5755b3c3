#include "partition/torchscript/flat_module.h"

#include "connected_graph/op_type.h"
#include "connected_graph/operators.h"
#include "connected_graph/torchscript/code/fold_conditions.h"
#include "connected_graph/torchscript/code/static_types.h"
#include "connected_graph/torchscript/ir/operator_effects.h"
#include "partition/torchscript/flat_attributes.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/passes/constant_propagation.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>
#include <torch/csrc/jit/passes/loop_unrolling.h>
#include <torch/csrc/jit/passes/lower_tuples.h>
#include <torch/csrc/jit/passes/peephole.h>
#include <torch/csrc/jit/passes/peephole_list_idioms.h>

#include <algorithm>
#include <ranges>
#include <vector>

namespace model_validator::partition {
namespace {

/// Dropout that is off returns its input, the same tensor, which its schema does not say.
void drop_idle_dropout(Block& block) {
  constexpr std::size_t train = 2; // its argument
  for (auto at = block.nodes().begin(); at != block.nodes().end();) {
    Node* node = *at++;
    for (Block* inner : node->blocks()) drop_idle_dropout(*inner);
    if (!node->kind().is_aten() || node->inputs().size() <= train || node->outputs().size() != 1 ||
        !does(type_of_schema(node->kind().toQualString()), Does::drops_out))
      continue;
    const auto on = torch::jit::toIValue(node->input(train));
    if (!on || !on->isBool() || on->toBool()) continue;
    node->output()->replaceAllUsesWith(node->input(0));
    node->destroy();
  }
}

bool changes_something(const Node& node) {
  if (node.hasSideEffects()) return true;
  for (std::size_t i = 0; i < node.inputs().size(); ++i)
    if (torchscript::writes(node, i)) return true;
  return std::ranges::any_of(node.blocks(), [](const Block* block) {
    return std::ranges::any_of(block->nodes(),
                               [](const Node* inner) { return changes_something(*inner); });
  });
}

/// LibTorch leaves a loop whose results nothing reads.
void drop_unused_blocks(Block& block) {
  const std::vector<Node*> nodes(block.nodes().begin(), block.nodes().end());
  for (Node* node : nodes | std::views::reverse)
    if (!node->blocks().empty() && !node->hasUses() && !changes_something(*node)) node->destroy();
}

bool changes_container(const Node& node) {
  for (std::size_t i = 0; i < node.inputs().size(); ++i)
    if (torchscript::writes(node, i) && torchscript::is_collection(*node.inputs()[i]->type()))
      return true;
  return false;
}

std::optional<std::string> why_node_is_not_flat(const Node& node) {
  if (!node.blocks().empty()) return "decides while it runs what it computes";
  switch (node.kind()) {
  case prim::CallMethod:
  case prim::CallFunction: return "chooses what it calls while it runs";
  case prim::fork: return "runs tasks beside itself";
  case prim::SetAttr: return "sets its attribute `" + node.s(attr::name) + "` while it runs";
  case prim::CreateObject: return "makes objects while it runs";
  case prim::GetAttr:
    if (node.input() != node.owningGraph()->inputs()[0]) return "reads objects while it runs";
    break;
  default:
    if (changes_container(node))
      return "changes a list or dict while it runs, by `" +
             std::string(node.kind().toQualString()) + "`";
  }
  return std::nullopt;
}

} // namespace

void simplify(FlatModule& flat) {
  auto& graph = flat.graph;
  flat.module.register_attribute("training", c10::BoolType::get(), false);
  graph->inputs()[0]->setType(flat.module.type());
  constexpr int rounds = 3; // what one round removes may decide an `if`, and so more
  for (int round = 0; round < rounds; ++round) {
    torch::jit::LowerSimpleTuples(graph);
    torchscript::fold_by_types(*graph);
    torch::jit::PeepholeOptimizeListIdioms(graph);
    torch::jit::UnrollConstantLoops(graph);
    torch::jit::ConstantPropagationImmutableTypes(graph);
    torch::jit::PeepholeOptimize(graph, /*disable_shape_peepholes=*/true);
    drop_idle_dropout(*graph->block());
    drop_unused_blocks(*graph->block());
    torch::jit::EliminateDeadCode(graph);
  }
}

void require_flat(const Graph& graph) {
  for (const Node* node : graph.nodes())
    if (const auto why = why_node_is_not_flat(*node))
      throw Error(ErrorKind::cannot_flatten, "", "the model " + *why,
                  "give `--input`: the model is then recorded as it runs for these inputs");
}

FlatModule take_program(const torch::jit::Module& program) {
  FlatModule flat;
  flat.graph = program.get_method("forward").graph()->copy();
  std::vector<Node*> reads;
  for (Node* node : flat.graph->nodes())
    if (node->kind() == prim::GetAttr) reads.push_back(node);
  FlatAttributes attributes(flat.module, *flat.graph);
  for (Node* read : reads) {
    const std::string& path = read->s(attr::name);
    read->output()->replaceAllUsesWith(
        attributes.read(path, program.attr(path), read->output()->type()));
    read->destroy();
  }
  simplify(flat);
  return flat;
}

} // namespace model_validator::partition
