#pragma once

#include "connected_graph/torchscript/ir/names.h"
#include "connected_graph/torchscript/module_table.h"
#include "connected_graph/torchscript/scope.h"
#include "connected_graph/torchscript/source_frames.h"
#include "connected_graph/torchscript/state_record.h"

#include <model_validator/graph_builder.h>

#include <torch/csrc/jit/api/module.h>

namespace model_validator::torchscript {

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
