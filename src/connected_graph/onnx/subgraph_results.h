#pragma once

#include "connected_graph/onnx/scope.h"

#include <onnx-ml.pb.h>
#include <vector>

namespace model_validator::onnx_format {

/// What an operator with subgraphs takes, and what its subgraphs yield.
struct SubgraphValues {
  std::vector<const Binding*> inputs;        ///< of the node; null for one that is left out
  std::vector<std::vector<Binding>> results; ///< of each subgraph
  bool sizes_are_open = false;               ///< sizes of the model's inputs are not all declared
};

/// Sets the types of what an operator with subgraphs yields, as far as they follow from those: both
/// arms of an `If` may be its value, a `Loop` and a `Scan` hand on state and stack the rest.
void infer_types(const ::onnx::NodeProto& node, const SubgraphValues& values,
                 std::vector<KnownType>& types);

} // namespace model_validator::onnx_format
