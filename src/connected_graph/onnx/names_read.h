#pragma once

#include <onnx-ml.pb.h>
#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// The graphs that a node holds, as `If`, `Loop` and `Scan` do.
std::vector<const ::onnx::GraphProto*> graphs_of(const ::onnx::NodeProto& node);

/// Whether it holds any.
inline bool has_subgraph(const ::onnx::NodeProto& node) { return !graphs_of(node).empty(); }

/// The names that a node reads, including those that its subgraphs take from outside, each once.
std::vector<std::string> names_read(const ::onnx::NodeProto& node);

} // namespace model_validator::onnx_format
