#pragma once

#include <cstddef>
#include <onnx-ml.pb.h>

namespace model_validator::onnx_format {

/// What a node takes each time it is unfolded, in operators of ordinary size: one, and one more for
/// every KiB of settings. What its subgraphs hold is not counted.
std::size_t node_cost(const ::onnx::NodeProto& node);

/// The cost of all nodes that a file holds, those of a function once, however often it is called.
std::size_t written_cost(const ::onnx::ModelProto& model);

} // namespace model_validator::onnx_format
