#include "connected_graph/torchscript/builder.h"

#include "connected_graph/attributes.h"
#include "connected_graph/quantised_products.h"
#include "connected_graph/torchscript/aliases.h"
#include "connected_graph/torchscript/code/inlined_graph.h"
#include "connected_graph/torchscript/code/written_nodes.h"
#include "connected_graph/torchscript/walk.h"
#include "connected_graph/unfolding.h"

#include <torch/csrc/jit/passes/canonicalize.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <sstream>
#include <string_view>

namespace model_validator::torchscript {
namespace {

bool has_training(const Module& module) {
  return find_attribute(module.attributes, "training") != nullptr;
}

bool is_weight(const Op& op) {
  return op.kind == OpKind::constant && !op.outputs.empty() && op.outputs[0].shape &&
         !op.outputs[0].shape->empty();
}

/// Whether the op is in torch.nn's own code, which otherwise runs in torch.nn modules and functions
/// that have their own ops.
bool is_code_of_torch_nn(const ConnectedGraph& graph, const Op& op) {
  if (op.frame == none) return false;
  const std::string& file = graph.frames()[op.frame].location.file;
  return file.find("torch/nn/modules/") != std::string::npos ||
         file.find("torch/nn/functional.py") != std::string::npos;
}

/// A frozen file calls no module. Its root has lost even the attribute `training`, which every
/// Python module has but a module made in C++ may not. What identifies a frozen file is that it
/// holds weights as constants, or the inlined code of modules.
bool has_modules(const ConnectedGraph& graph) {
  const auto& modules = graph.modules();
  if (has_training(modules[0])) return true;
  if (std::any_of(modules.begin() + 1, modules.end(),
                  [](const Module& module) { return module.calls > 0; }))
    return true;
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (is_weight(graph.op(id)) || is_code_of_torch_nn(graph, graph.op(id))) return false;
  return true;
}

/// Without the names of classes, which are the user's (those of leaf modules are in the graph).
std::string without_classes(const std::string& text) {
  const std::string_view start = "__torch__.";
  const auto ends_name = [](char c) {
    return c != '.' && c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0;
  };
  std::string result;
  std::size_t from = 0;
  for (auto at = text.find(start); at != text.npos; at = text.find(start, from)) {
    const auto end =
        std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), ends_name);
    result.append(text, from, at - from);
    from = static_cast<std::size_t>(end - text.begin());
  }
  return result.append(text, from);
}

void forget_names(at::ArrayRef<Value*> values) {
  for (Value* value : values) value->setDebugName("");
}

/// LibTorch leaves names of values and places in Python out of the outermost block alone.
void forget_names_and_places(Block* block) {
  forget_names(block->inputs());
  for (Node* node : block->nodes()) {
    node->setSourceRange(torch::jit::SourceRange());
    forget_names(node->outputs());
    for (Block* inner : node->blocks()) forget_names_and_places(inner);
  }
}

/// The code of `forward` with what it calls, as text that is the same whatever its values, lines
/// and modules without state are called, and in whichever process it was compiled. It holds what a
/// graph of ops leaves out, such as which round of a loop a value comes from. Empty for code whose
/// calls expand without limit.
std::string written_code(const torch::jit::Module& root) {
  const std::shared_ptr<Graph> inlined = inlined_graph(root, "forward");
  if (!inlined) return {};
  torch::jit::EliminateDeadCode(inlined);
  forget_names_and_places(inlined->block());
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10);
  torch::jit::Canonicalize(inlined, false)->print(text, false);
  return without_classes(text.str());
}

} // namespace

GraphBuilder build_graph(const torch::jit::Module& root, const ReadOptions& options, NodeMap* map,
                         const UnsetObjects& unset) {
  GraphBuilder graph;
  Walk walk(root, graph, unfolding_limit(written_nodes(root), options.max_ops), map, unset);
  walk.run("forward");
  merge_aliases(graph, walk.calls(), walk.traced());
  mark_quantised_products(graph);
  graph.origin.format = FileFormat::torchscript;
  graph.origin.traced = walk.traced();
  graph.origin.has_modules = has_modules(graph);
  if (options.identity) graph.origin.statements.push_back({"code", written_code(root)});
  return graph;
}

} // namespace model_validator::torchscript
