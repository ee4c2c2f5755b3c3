#pragma once

#include <onnx-ml.pb.h>
#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// Puts the nodes of every graph and function behind those that they read, as ONNX requires, and as
/// runtimes do for files that lack it: writers append constants to a list of nodes (sclblonnx), or
/// add nodes to a graph and do not sort them. Nodes that are in order stay where they are; nodes
/// that read each other in a circle have no order.
/// @returns the bodies and functions that were not in order, a clause for each: no runtime sorts
///     those
std::vector<std::string> sort_nodes(::onnx::ModelProto& model);

} // namespace model_validator::onnx_format
