#pragma once

#include "connected_graph/torchscript/node_map.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace model_validator::partition {

/// Where in the model's own code a node of an inlined graph comes from.
struct NodeOrigin {
  std::optional<torchscript::NodeMap::Context> context; ///< nullopt for a call that was not walked
  const torch::jit::Node* node = nullptr;
};

/// An object of the module hierarchy, if a value is known to be one.
struct KnownObject {
  c10::intrusive_ptr<c10::ivalue::Object> object;
  std::string path;
};

/// A graph without calls. Every node copied from the model's code carries the number of its origin
/// as an attribute, so that passes over the graph keep it.
struct InlinedGraph {
  std::shared_ptr<torch::jit::Graph> graph;
  std::unordered_map<const torch::jit::Value*, KnownObject> objects;
  std::vector<NodeOrigin> origins;
};

/// The nodes of a graph, nested ones included, that come from the model's code.
using NodeOrigins = std::unordered_map<const torch::jit::Node*, NodeOrigin>;
/// Removes the numbers from the nodes and returns their origins.
NodeOrigins take_origins(const InlinedGraph& inlined);

/// Values of inputs by number, where the module itself is the first.
using FixedInputs = std::map<std::size_t, c10::IValue>;

/// Inlines all calls of methods and functions beneath `forward`, and folds what the walk has
/// decided: branches that never run are dropped, known numbers and strings become constants. Loops
/// with a small known trip count are unrolled.
/// @param map    of the same module, by the walk
/// @param fixed  inputs that always have one value, by their number in the signature
/// @throws Error (`no-forward`, `too-deep`, `too-large`)
InlinedGraph inline_calls(const torch::jit::Module& module, const torchscript::NodeMap& map,
                          const FixedInputs& fixed, std::size_t max_nodes);

} // namespace model_validator::partition
