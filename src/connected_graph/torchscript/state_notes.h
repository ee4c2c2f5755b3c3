#pragma once

#include "connected_graph/torchscript/values.h"

#include <vector>

namespace model_validator::torchscript {

/// Records what each node does to the state that a model keeps from one call to the next.
class StateNotes {
public:
  explicit StateNotes(WalkContext& context) : context_(context), state_(context.state) {}

  /// What each input of a computing node is computed from. For a collection that is changed or
  /// indexed, the elements are tracked separately.
  std::vector<StateRecord::Node> read_by(const Node& node, const Inputs& inputs);
  /// What the node writes.
  void add_writes(const Node& node, const Inputs& inputs,
                  const std::vector<StateRecord::Node>& read);
  /// Whose memory its outputs share.
  void add_shared(const Node& node, const Inputs& inputs, const Environment& environment);
  /// Records that a node's outputs are computed from its inputs.
  void add_computed(const Node& node, StateRecord::Node begin,
                    const std::vector<StateRecord::Node>& read, const Environment& environment);

private:
  void add_assignment(const Node& node, const Abstract& self, const Abstract& value);
  StateWrite write_of(const Node& node);

  WalkContext& context_;
  StateRecord& state_;
};

} // namespace model_validator::torchscript
