#pragma once

#include "connected_graph/onnx/scope.h"

#include <onnx-ml.pb.h>
#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// What an operator with subgraphs takes, and what its subgraphs yield.
struct SubgraphValues {
  std::vector<const Binding*> inputs;        ///< of the node; null for one that is left out
  std::vector<std::vector<Binding>> results; ///< of each subgraph
  bool sizes_are_open = false;               ///< sizes of the model's inputs are not all declared
};

/// What follows for a result of such an operator; empty where nothing does.
struct SubgraphResult {
  KnownType type;
  shapes::Value sizes;
};

/// One per output of the node: both arms of an `If` may be its value, a `Loop` hands on what it
/// carries and stacks the rest, as a `Scan` does; a `SequenceMap` makes sequences.
std::vector<SubgraphResult> subgraph_results(const ::onnx::NodeProto& node,
                                             const SubgraphValues& values);

} // namespace model_validator::onnx_format
