#pragma once

#include "partition/torchscript/inlining.h"

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <unordered_map>

namespace model_validator::partition {

/// A module as one graph that calls nothing: its `forward` holds all operators, what the walk knows
/// is evaluated, arms that cannot run are gone, and every weight is an attribute of the
/// one module that is left. A weight that several modules share is one attribute.
struct FlatModule {
  torch::jit::Module module;
  InlinedGraph inlined;
  /// Of each attribute that is read or written, where it was: `layer1.0.conv1.weight`.
  std::unordered_map<std::string, std::string> paths;
  NodeOrigins origins;

  const std::shared_ptr<torch::jit::Graph>& graph() const { return inlined.graph; }
};

/// @param map  of the same module, by the walk
/// Nothing of the model is run but arithmetic on numbers that are known.
/// @throws Error (`cannot-flatten`) where a module is chosen while the model runs, or an object that
/// the model keeps is changed
FlatModule flatten(const torch::jit::Module& module, const torchscript::NodeMap& map,
                   const FixedInputs& fixed, std::size_t max_nodes);

} // namespace model_validator::partition
