#pragma once

#include "connected_graph/torchscript/code/node_map.h"
#include "connected_graph/torchscript/ir/names.h"
#include "connected_graph/torchscript/python_stack.h"

#include <model_validator/graph_builder.h>

#include <torch/csrc/jit/frontend/source_range.h>

#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

/// A call of a function or method that the walk is inside of.
struct Call {
  ModuleId self = none;         ///< the module whose `forward` runs, which owns the ops
  ModuleId code = none;         ///< the module whose method it is: a child, in its helpers
  const void* object = nullptr; ///< its object
  FrameId site = none;          ///< where it was called from
  bool module_call = false;     ///< a call of another module, which Python's tracer records
  Call* caller = nullptr;
  NodeMap::Context context = NodeMap::root;

  /// A call, made here, of a function that belongs to no module.
  Call of_function(FrameId from, NodeMap::Context inside) {
    return {self, code, object, from, false, this, inside};
  }
};

/// The Python location of a node, as the exporter recorded it.
struct PythonPlace {
  SourceLocation location;
  std::string code;                             ///< the line, if the file carries it
  std::optional<std::vector<StackGroup>> stack; ///< of a traced operator
};

/// Adds Python locations to a graph as frames, each once.
class SourceFrames {
public:
  explicit SourceFrames(GraphBuilder& graph) : graph_(graph) {}

  /// The frame of a node that runs inside `call`; `none` if nothing was recorded.
  ///
  /// A trace records no location for the call of a module, but every operator beneath carries the
  /// whole Python stack, which fills in the sites of the enclosing calls.
  FrameId frame_of(const Node& node, Call& call);

  /// The line of TorchScript's own library that a node was expanded from: `1 - x` becomes
  /// `torch.neg(b) + a`. Empty for a node of the user's code.
  std::string builtin_line(const Node& node);

  /// Whether a traced operator has been seen.
  bool traced() const noexcept { return traced_; }

private:
  std::optional<PythonPlace> place_of(const Node& node);
  std::optional<PythonPlace> place_of(const torch::jit::SourceRange& written);
  std::optional<PythonPlace> place_nearby(const Node& node);
  using FindAssignment = std::optional<std::pair<std::size_t, std::size_t>> (*)(
      const std::string& code, const std::string& variable, std::size_t near);
  std::optional<PythonPlace> place_near(const Node& near, const std::string& variable,
                                        FindAssignment find);
  std::optional<PythonPlace> place_before(const Node& node, const std::string& variable,
                                          bool returned);
  std::optional<PythonPlace> place_of_variable(const Node& near, const std::string& variable,
                                               FindAssignment find);
  std::optional<PythonPlace> place_of_assignment(const Node& node);
  const std::string& text_of(const std::shared_ptr<torch::jit::Source>& source);
  FrameId intern(const SourceLocation& location, ModuleId module, FrameId caller);
  FrameId enter_stack(const std::vector<StackGroup>& stack, Call& call);

  using Key = std::tuple<std::string, int, int, ModuleId, FrameId>;
  GraphBuilder& graph_;
  std::map<Key, FrameId> frames_;
  std::shared_ptr<torch::jit::Source> last_source_; ///< nodes of one function share their source
  std::string last_text_;
  bool traced_ = false;
};

} // namespace model_validator::torchscript
