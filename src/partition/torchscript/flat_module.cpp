#include "partition/torchscript/flat_module.h"

#include "connected_graph/op_type.h"
#include "connected_graph/operators.h"
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
#include <unordered_map>
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

/// Numbers and words, which nothing can change in place.
bool is_plain(const c10::IValue& value) {
  return value.isNone() || value.isScalar() || value.isString() || value.isDevice();
}

/// What uses a module that is left is not flat itself.
bool is_module(const Value& value) {
  const auto type = value.type()->cast<c10::ClassType>();
  return type && type->is_module();
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
    if (node.input() != node.owningGraph()->inputs()[0] && !is_module(*node.output()))
      return "reads objects while it runs";
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
    torch::jit::PeepholeOptimizeListIdioms(graph);
    torch::jit::UnrollConstantLoops(graph);
    torch::jit::ConstantPropagationImmutableTypes(graph);
    torch::jit::PeepholeOptimize(graph, /*disable_shape_peepholes=*/true);
    drop_idle_dropout(*graph->block());
    torch::jit::EliminateDeadCode(graph);
  }
}

void require_flat(const Graph& graph) {
  for (const Node* node : graph.nodes())
    if (const auto why = why_node_is_not_flat(*node))
      throw Error(ErrorKind::cannot_flatten, "", "the model " + *why,
                  "give `--input`: the model is then recorded as it runs for these inputs");
}

void read_attributes(FlatModule& flat, const torch::jit::Module& module) {
  struct Held {
    std::string path;
    c10::IValue value;
  };
  std::unordered_map<const Value*, Held> modules{{flat.graph->inputs()[0], {"", module._ivalue()}}};
  std::vector<Node*> reads;
  for (Node* node : flat.graph->nodes())
    if (node->kind() == prim::GetAttr) reads.push_back(node);
  FlatAttributes attributes(flat.module, *flat.graph);
  for (Node* read : reads) {
    const auto owner = modules.find(read->input());
    if (owner == modules.end()) continue; // an object of a class that is no module
    const auto& [prefix, holder] = owner->second;
    const std::string& name = read->s(attr::name);
    const std::string path = prefix.empty() ? name : prefix + "." + name;
    const c10::IValue value = holder.toObjectRef().getAttr(name);
    const torch::jit::WithInsertPoint here(read);
    if (value.isModule())
      modules[read->output()] = {path, value};
    else if (is_plain(value))
      read->output()->replaceAllUsesWith(flat.graph->insertConstant(value));
    else
      read->output()->replaceAllUsesWith(attributes.read(path, value, read->output()->type()));
  }
  for (Node* read : reads | std::views::reverse)
    if (!read->hasUses()) read->destroy();
}

FlatModule take_program(const torch::jit::Module& program) {
  FlatModule flat;
  flat.graph = program.get_method("forward").graph()->copy();
  read_attributes(flat, program);
  simplify(flat);
  return flat;
}

} // namespace model_validator::partition
