#include "partition/torchscript/flat_module.h"

#include "connected_graph/torchscript/fold_conditions.h"
#include "partition/torchscript/flat_attributes.h"
#include "partition/torchscript/forward_attributes.h"
#include "partition/torchscript/grown_collections.h"
#include "partition/torchscript/held_objects.h"
#include "partition/torchscript/known_lists.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/passes/constant_propagation.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>
#include <torch/csrc/jit/passes/loop_unrolling.h>
#include <torch/csrc/jit/passes/lower_tuples.h>
#include <torch/csrc/jit/passes/peephole.h>
#include <torch/csrc/jit/passes/peephole_list_idioms.h>

#include <cctype>
#include <set>

namespace model_validator::partition {
namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;

/// Dropout that is off returns its input, the same tensor, which its schema does not say.
void drop_idle_dropout(Block& block) {
  static const std::set<std::string> kinds{"aten::dropout",
                                           "aten::dropout_",
                                           "aten::alpha_dropout",
                                           "aten::alpha_dropout_",
                                           "aten::feature_dropout",
                                           "aten::feature_dropout_",
                                           "aten::feature_alpha_dropout",
                                           "aten::feature_alpha_dropout_"};
  constexpr std::size_t train = 2; // its argument
  for (auto at = block.nodes().begin(); at != block.nodes().end();) {
    Node* node = *at++;
    for (Block* inner : node->blocks()) drop_idle_dropout(*inner);
    if (!kinds.contains(node->kind().toQualString()) || node->inputs().size() <= train) continue;
    const auto on = torch::jit::toIValue(node->input(train));
    if (!on || !on->isBool() || on->toBool()) continue;
    node->output()->replaceAllUsesWith(node->input(0));
    node->destroy();
  }
}

/// Evaluates what is known, which decides branches, and removes what is not needed.
void simplify(std::shared_ptr<torch::jit::Graph>& graph) {
  constexpr int rounds = 3; // what one round removes may decide an `if`, and so more
  for (int round = 0; round < rounds; ++round) {
    torch::jit::LowerSimpleTuples(graph);
    torchscript::fold_by_types(*graph);
    rebuild_grown_collections(*graph);
    fold_known_lists(*graph);
    torch::jit::PeepholeOptimizeListIdioms(graph);
    torch::jit::UnrollConstantLoops(graph);
    torch::jit::ConstantPropagationImmutableTypes(graph);
    torch::jit::PeepholeOptimize(graph, /*disable_shape_peepholes=*/true);
    drop_idle_dropout(*graph->block());
    torch::jit::EliminateDeadCode(graph);
  }
}

void drop_hierarchy(torch::jit::Graph& graph) {
  constexpr std::size_t root = 1; // after the module that takes its place
  if (graph.inputs()[root]->hasUses())
    throw Error(
        ErrorKind::cannot_flatten, "",
        "the model chooses a module while it runs, so its operators are not known in advance",
        "trace it, or call each module by its own name");
  graph.eraseInput(root);
}

void add_forward(FlatModule& flat) {
  auto* forward = flat.module._ivalue()->compilation_unit()->create_function(
      c10::QualifiedName(*flat.module.type()->name(), "forward"), flat.inlined.graph);
  flat.module.type()->addMethod(forward);
}

/// Gives the attributes that a graph reads names that are valid in Python, in a module of its own.
void rename_attributes(Block& block, const torch::jit::Module& program, FlatModule& flat) {
  for (Node* node : block.nodes()) {
    for (Block* inner : node->blocks()) rename_attributes(*inner, program, flat);
    if (node->kind() != torch::jit::prim::GetAttr) continue;
    const std::string path = node->s(torch::jit::attr::name);
    std::string name = identifier(path);
    while (flat.paths.contains(name) && flat.paths[name] != path) name += "_";
    if (flat.paths.emplace(name, path).second)
      flat.module.register_parameter(name, program.attr(path).toTensor(), true);
    node->s_(torch::jit::attr::name, name);
  }
}

} // namespace

std::string identifier(const std::string& text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0 ? "v" + name : name;
}

FlatModule take_program(const torch::jit::Module& program) {
  FlatModule flat{torch::jit::Module("Whole"), {}, {}, {}};
  flat.module.register_attribute("training", c10::BoolType::get(), false);
  flat.inlined.graph = program.get_method("forward").graph()->copy();
  rename_attributes(*flat.inlined.graph->block(), program, flat);
  flat.inlined.graph->inputs()[0]->setType(flat.module.type());
  simplify(flat.inlined.graph);
  add_forward(flat);
  return flat;
}

FlatModule flatten(const torch::jit::Module& module, const torchscript::NodeMap& map,
                   const FixedInputs& fixed, std::size_t max_nodes) {
  FlatModule flat{torch::jit::Module("Whole"), inline_calls(module, map, fixed, max_nodes), {}, {}};
  flat.module.register_attribute("training", c10::BoolType::get(), false);
  move_attributes(flat);
  forward_attributes(*flat.inlined.graph);
  simplify(flat.inlined.graph);
  refuse_changing_objects(*flat.inlined.graph);
  drop_hierarchy(*flat.inlined.graph);
  flat.origins = take_origins(flat.inlined);
  flat.inlined.objects.clear(); // their values may be gone
  add_forward(flat);
  return flat;
}

} // namespace model_validator::partition
