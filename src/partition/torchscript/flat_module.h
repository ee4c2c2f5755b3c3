#pragma once

#include "partition/torchscript/inlining.h"

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <unordered_map>

namespace model_validator::partition {

/// A module as one graph without calls: its `forward` holds all operators, what the walk knows is
/// evaluated, branches that cannot run are gone, and every weight is an attribute of the single
/// remaining module. A weight shared by several modules is one attribute.
struct FlatModule {
  torch::jit::Module module;
  InlinedGraph inlined;
  /// Where each attribute that is read or written came from: `layer1.0.conv1.weight`.
  std::unordered_map<std::string, std::string> paths;
  NodeOrigins origins;

  const std::shared_ptr<torch::jit::Graph>& graph() const { return inlined.graph; }
};

/// A valid Python identifier for a text.
std::string identifier(const std::string& text);

/// Nothing of the model is run except arithmetic on known numbers.
/// @param map  of the same module, by the walk
/// @throws Error (`cannot-flatten`) if a module is chosen at run time, or an object that the model
/// keeps is changed
FlatModule flatten(const torch::jit::Module& module, const torchscript::NodeMap& map,
                   const FixedInputs& fixed, std::size_t max_nodes);

/// The same of a program of torch.export, whose graph has no calls. @throws Error
FlatModule take_program(const torch::jit::Module& program);

} // namespace model_validator::partition
