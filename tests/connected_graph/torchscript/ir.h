#pragma once

#include <torch/csrc/jit/ir/irparser.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace model_validator::test {

/// A graph in the text of TorchScript's own representation.
inline std::shared_ptr<torch::jit::Graph> parsed_ir(const std::string& ir) {
  auto graph = std::make_shared<torch::jit::Graph>();
  torch::jit::parseIR(ir, graph.get());
  return graph;
}

/// The first node of a kind, in nested blocks too.
inline torch::jit::Node* find_node(torch::jit::Block& block, const std::string& kind) {
  for (torch::jit::Node* node : block.nodes()) {
    if (kind == node->kind().toQualString()) return node;
    for (torch::jit::Block* inner : node->blocks())
      if (torch::jit::Node* found = find_node(*inner, kind)) return found;
  }
  return nullptr;
}

inline torch::jit::Node& node_of(torch::jit::Graph& graph, const std::string& kind) {
  if (torch::jit::Node* node = find_node(*graph.block(), kind)) return *node;
  throw std::runtime_error("no node " + kind);
}

} // namespace model_validator::test
