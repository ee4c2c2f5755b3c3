#include "connected_graph/torchscript/builder.h"

#include "connected_graph/torchscript/aliases.h"
#include "connected_graph/torchscript/walk.h"

#include <algorithm>

namespace model_validator::torchscript {
namespace {

/// A frozen file keeps its weights as constants and no module but the root, which has lost even the
/// attribute `training` that every module has.
bool has_modules(const ConnectedGraph& graph) {
  if (graph.modules().size() > 1 || !graph.parameters().empty()) return true;
  const auto& attributes = graph.module(0).attributes;
  if (std::any_of(attributes.begin(), attributes.end(),
                  [](const Attribute& attribute) { return attribute.name == "training"; }))
    return true;
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const Op& op = graph.op(id);
    const bool weight = op.kind == OpKind::constant && !op.outputs.empty() && op.outputs[0].shape &&
                        !op.outputs[0].shape->empty();
    if (weight) return false;
  }
  return true;
}

} // namespace

ConnectedGraph build_graph(const torch::jit::Module& root, const ReadOptions& options,
                           NodeMap* map) {
  ConnectedGraph graph;
  Walk walk(root, graph, options.max_ops, map);
  walk.run("forward");
  merge_aliases(graph, walk.calls(), walk.traced());
  graph.origin.format = "torchscript";
  graph.origin.traced = walk.traced();
  graph.origin.has_modules = has_modules(graph);
  return graph;
}

} // namespace model_validator::torchscript
