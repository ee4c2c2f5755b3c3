#pragma once

#include "connected_graph/onnx/form_list.h"
#include "connected_graph/onnx/scope.h"

#include <onnx-ml.pb.h>

namespace model_validator::onnx_format {

/// Nodes whose attributes and sizes together make a runtime compute something else.
/// @param scope  of the graph, with all its names bound
void add_size_forms(const ::onnx::GraphProto& graph, const Scope& scope, FormList& forms);

} // namespace model_validator::onnx_format
