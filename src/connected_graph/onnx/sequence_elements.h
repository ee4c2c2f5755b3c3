#pragma once

#include "connected_graph/onnx/scope.h"
#include "connected_graph/onnx/subgraph_results.h"

#include <onnx-ml.pb.h>
#include <vector>

namespace model_validator::onnx_format {

/// What the file shows of the elements of the sequence that an operator yields.
/// @param inputs  null for one that is left out
Elements elements_yielded(const ::onnx::NodeProto& node, const std::vector<const Binding*>& inputs);

/// Of a value that a `Loop` carries; `open` for any other result of an operator with subgraphs.
Elements elements_carried(const ::onnx::NodeProto& node, const SubgraphValues& values,
                          std::size_t output);

} // namespace model_validator::onnx_format
