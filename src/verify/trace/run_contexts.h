#pragma once

#include "connected_graph/torchscript/code/node_map.h"

#include <ATen/core/ivalue.h>

#include <optional>
#include <vector>

namespace model_validator::verify {

/// Follows a run through the calls that the walk of the model went through, so that each node that
/// runs is found as its op in the graph.
class RunContexts {
public:
  using Context = std::optional<torchscript::NodeMap::Context>; ///< none: not in the graph

  explicit RunContexts(const torchscript::NodeMap& map) : map_(map) { begin(); }

  /// A run of `forward` begins.
  void begin() { contexts_ = {torchscript::NodeMap::root}; }
  /// A method or function is entered; a method's first input is its object.
  void enter(const torch::jit::Node& call, const std::vector<c10::IValue>& inputs) {
    const bool of_object = !inputs.empty() && inputs[0].isObject();
    const void* object = of_object ? &inputs[0].toObjectRef() : nullptr;
    contexts_.push_back(current() ? map_.find(*current(), call, object) : Context());
  }
  void leave() { contexts_.pop_back(); }

  const Context& current() const { return contexts_.back(); }
  /// The node's records in the graph, in the call that runs now.
  const std::vector<torchscript::NodeRecord>& records(const torch::jit::Node& node) const {
    static const std::vector<torchscript::NodeRecord> nothing;
    return current() ? map_.at(*current(), node) : nothing;
  }

private:
  const torchscript::NodeMap& map_;
  std::vector<Context> contexts_;
};

} // namespace model_validator::verify
