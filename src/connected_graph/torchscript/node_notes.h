#pragma once

#include "connected_graph/torchscript/values.h"

namespace model_validator::torchscript {

/// Records which node becomes which op, so that a run of the same code finds the ops again.
class NodeNotes {
public:
  /// @param map  receives the notes; may be null
  NodeNotes(const WalkContext& context, NodeMap* map) : context_(context), map_(map) {}

  bool wanted() const noexcept { return map_ != nullptr; }
  /// The context inside a call. @param object  whose method is called; null for a function
  NodeMap::Context enter(const Node& call, const void* object = nullptr) const;

  void add(const Node& node, NodeRecord record, const Inputs& outputs);
  void add(const Node& node, NodeRecord record, const Environment& environment);
  /// A node inside a leaf: the next op added represents the leaf.
  void add_body(const Node& node);
  void add_root_leaf(NodeRecord record, const Abstract& returned);
  void add_model_input(std::size_t argument, OpId op, const Abstract& value);
  void add_model_output(OpId op, const Place& place);
  /// The op wrote into a view.
  void add_written_view(OpId op);

private:
  const WalkContext& context_;
  NodeMap* map_;
};

} // namespace model_validator::torchscript
