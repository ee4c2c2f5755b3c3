#pragma once

#include "connected_graph/path_condition.h"
#include "connected_graph/torchscript/ir/names.h"
#include "connected_graph/torchscript/module_table.h"
#include "connected_graph/torchscript/source_frames.h"
#include "connected_graph/torchscript/state_record.h"

#include <model_validator/graph_builder.h>

#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

/// What surrounds the node that a walk is at.
struct Scope {
  Call* call = nullptr;
  std::size_t depth = 0; ///< enclosing calls
  RegionId region = none;
  PathCondition path;
  std::size_t times = 1;                 ///< product of the trip counts of the enclosing loops
  std::map<RegionId, std::size_t> trips; ///< per open loop
  std::size_t open_loops = 0;
  std::vector<Operator>* collecting = nullptr; ///< inside a leaf: operators go here

  /// How often something runs that runs once in all iterations of a loop.
  std::size_t times_once_in(RegionId loop) const {
    const auto found = trips.find(loop);
    if (found == trips.end()) return times;
    return std::max<std::size_t>(times / std::max<std::size_t>(found->second, 1), 1);
  }
};

/// Sets a part of the scope to another value, and restores it at the end of the block.
template <typename T> class Within {
public:
  Within(T& part, T value) : part_(part), outer_(std::exchange(part, std::move(value))) {}
  ~Within() { part_ = std::move(outer_); }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

private:
  T& part_;
  T outer_;
};

/// What the parts of a walk share: the graph they add to, and where the walk is.
struct WalkContext {
  WalkContext(const torch::jit::Module& of, GraphBuilder& into, const UnsetObjects& unset)
      : root(of), graph(into), modules(of, into, unset), frames(into) {}

  torch::jit::Module root;
  GraphBuilder& graph;
  ModuleTable modules;
  SourceFrames frames;
  StateRecord state;
  Scope scope;

  /// The Python location of a node in the call being walked.
  FrameId frame_of(const Node& node) { return frames.frame_of(node, *scope.call); }
  /// The module of an object; for a non-module, the module whose `forward` runs.
  ModuleId module_of(const c10::ivalue::Object& object) const {
    const ModuleId module = modules.id_of(object);
    return module == none ? scope.call->self : module;
  }
};

} // namespace model_validator::torchscript
