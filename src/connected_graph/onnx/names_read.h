#pragma once

#include <onnx-ml.pb.h>
#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// Whether it has a graph of its own, as `If`, `Loop` and `Scan` have.
bool has_subgraph(const ::onnx::NodeProto& node);

/// The names that a node reads, including those that its subgraphs take from outside, each once.
std::vector<std::string> names_read(const ::onnx::NodeProto& node);

} // namespace model_validator::onnx_format
