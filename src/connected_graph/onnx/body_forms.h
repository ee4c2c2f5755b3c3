#pragma once

#include "connected_graph/onnx/form_list.h"
#include "connected_graph/onnx/subgraph_results.h"

#include <onnx-ml.pb.h>

namespace model_validator::onnx_format {

/// How many values cross the borders of a node's bodies, and which of them are left out.
/// @param opset  of ONNX's own operators: before 9, a `Scan` is told lengths, and goes over batches
void add_body_forms(const ::onnx::NodeProto& node, int opset, FormList& forms);

/// What the dtypes, ranks and sizes of those values have against each other.
/// @param flat  number of the flat node that it becomes
void add_border_forms(const ::onnx::NodeProto& node, int opset, const SubgraphValues& values,
                      std::size_t flat, FormList& forms);

} // namespace model_validator::onnx_format
