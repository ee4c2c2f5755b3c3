#include "connected_graph/torchscript/builder.h"

#include "connected_graph/attributes.h"
#include "connected_graph/quantised_products.h"
#include "connected_graph/torchscript/aliases.h"
#include "connected_graph/torchscript/code/written_code.h"
#include "connected_graph/torchscript/code/written_nodes.h"
#include "connected_graph/torchscript/walk.h"
#include "connected_graph/unfolding.h"

#include <algorithm>

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
