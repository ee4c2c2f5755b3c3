#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace model_validator::partition {

/// A call that was replaced by what it calls.
struct InlinedCall {
  std::string module;           ///< path of the module whose code it is
  torch::jit::SourceRange site; ///< where it was called
  bool method = true;           ///< of a module; a function otherwise
  std::size_t caller = 0;       ///< number of the call around; of the outermost its own
};

/// An object of the module hierarchy, where a value is known to be one.
struct KnownObject {
  c10::intrusive_ptr<c10::ivalue::Object> object;
  std::string path;
};

/// A graph without calls. Every node says by its scope which call it comes from.
struct InlinedGraph {
  std::shared_ptr<torch::jit::Graph> graph;
  std::vector<InlinedCall> calls; ///< the first is `forward` itself
  std::unordered_map<const torch::jit::Value*, KnownObject> objects;

  /// The number of the call that a node comes from.
  std::size_t call_of(const torch::jit::Node& node) const;
};

/// Inlines all calls of methods and functions beneath `forward`, values followed: modules that
/// travel as arguments or through interfaces are known for what they are.
/// @throws Error (`no-forward`, `too-deep`, `too-large`)
InlinedGraph inline_calls(const torch::jit::Module& module, std::size_t most_nodes);

} // namespace model_validator::partition
