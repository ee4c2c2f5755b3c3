#pragma once

#include "connected_graph/onnx/form_list.h"
#include "connected_graph/onnx/graph_links.h"
#include "connected_graph/onnx/scope.h"

#include <onnx-ml.pb.h>

namespace model_validator::onnx_format {

/// What reads quantised weights, and values that are quantised twice.
/// @param scope   of the graph, with all its names bound
/// @param source  holds what it stores
void add_weight_forms(const ::onnx::GraphProto& graph, const Scope& scope, const GraphLinks& links,
                      const OnnxFile& source, FormList& forms);

} // namespace model_validator::onnx_format
