#pragma once

#include "connected_graph/torchscript/attributes.h"
#include "connected_graph/torchscript/calls.h"
#include "connected_graph/torchscript/collection_operators.h"
#include "connected_graph/torchscript/control_flow.h"
#include "connected_graph/torchscript/operators.h"
#include "connected_graph/torchscript/state_notes.h"

#include <model_validator/graph_builder.h>

#include <torch/csrc/jit/api/module.h>

#include <map>
#include <string>

namespace model_validator::torchscript {

/// Walks a TorchScript module from a method, value by value, and adds what it finds to a graph.
///
/// An abstract interpreter over the method graphs as they are, not inlined: every call is walked
/// again with its own arguments, so that modules passed as arguments, in lists or through
/// interfaces are resolved. Conditions that can be evaluated are: branches that cannot run are not
/// entered. For others both branches are walked, each in its region. Loop bodies are walked once.
/// Nothing of the model is run.
///
/// Each kind of node has its part: `Calls`, `ControlFlow`, `Attributes`, `CollectionOperators`,
/// `Operators`.
class Walk {
public:
  /// @param max_nodes  how many nodes may be walked before the model is rejected as too large
  /// @param map        receives which node becomes which op; may be null
  /// @param unset      hold the packed weights of quantized modules
  Walk(const torch::jit::Module& root, GraphBuilder& graph, std::size_t max_nodes,
       NodeMap* map = nullptr, const UnsetObjects& unset = {});

  /// Walks one method and adds its inputs and outputs.
  /// @throws Error (`too-large`, `too-deep`)
  void run(const std::string& method);

  /// The calls of each module.
  const std::map<ModuleId, ModuleCalls>& calls() const noexcept { return calls_.of_modules(); }
  bool traced() const noexcept { return context_.frames.traced(); }

private:
  Inputs enter_inputs(const torch::jit::Function& method, const Graph& graph);
  void enter_outputs(const Abstract& returned);
  WalkBlock block_walker();
  bool walk_block(const Block& block, Environment& environment);
  bool walk_node(const Node& node, Environment& environment);
  void walk_plain(const Node& node, Environment& environment);
  static void note_holders(const Node& node, const Inputs& inputs, const Environment& environment);
  bool walk_structure(const Node& node, const Inputs& inputs, Environment& environment);
  bool unpack(const Node& node, const Abstract& value, Environment& environment);

  WalkContext context_;
  std::size_t nodes_left_;
  NodeNotes notes_;
  Values values_;
  Decisions decisions_;
  OpWriter writer_;
  StateNotes state_notes_;
  Attributes attributes_;
  CollectionOperators collections_;
  Operators operators_;
  Calls calls_;
  ControlFlow control_flow_;
};

} // namespace model_validator::torchscript
