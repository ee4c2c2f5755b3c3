#pragma once

#include "connected_graph/torchscript/ir/names.h"

namespace model_validator::torchscript {

template <class AnyNode, class Visit> void for_nested_nodes(AnyNode& node, const Visit& visit);

/// Visits the nodes of a block, each before those inside of it. The depth of blocks was bounded
/// when the code was read.
template <class AnyBlock, class Visit> void for_each_node(AnyBlock& block, const Visit& visit) {
  for (auto* node : block.nodes()) for_nested_nodes(*node, visit);
}

/// Visits a node and then those inside of it.
template <class AnyNode, class Visit> void for_nested_nodes(AnyNode& node, const Visit& visit) {
  visit(node);
  for (auto* block : node.blocks()) for_each_node(*block, visit);
}

} // namespace model_validator::torchscript
