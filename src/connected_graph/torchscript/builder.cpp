#include "connected_graph/torchscript/builder.h"

namespace model_validator::torchscript {

ConnectedGraph build_graph(const torch::jit::Module& module, const ReadOptions&) {
  ConnectedGraph graph;
  for (const auto& child : module.named_modules()) {
    Module entry;
    entry.path = child.name;
    if (const auto name = child.value.type()->name()) entry.class_name = name->qualifiedName();
    entry.leaf = child.value.named_children().size() == 0;
    graph.add_module(std::move(entry));
  }
  return graph;
}

} // namespace model_validator::torchscript
