#pragma once

#include <cstddef>
#include <onnx-ml.pb.h>

namespace model_validator::onnx_format {

/// What bytes of a file take when they are unfolded, in operators of ordinary size: one for every
/// 256.
constexpr std::size_t cost_of_bytes(std::size_t bytes) noexcept { return bytes / 256; }

/// What a node takes each time it is unfolded: one, and what its names, settings and metadata take.
/// What its subgraphs hold is not counted.
std::size_t node_cost(const ::onnx::NodeProto& node);

/// What a graph or function takes each time it is unfolded, besides its nodes: the names, types and
/// weights that it declares.
std::size_t declaration_cost(const ::onnx::GraphProto& graph);
std::size_t declaration_cost(const ::onnx::FunctionProto& function);

/// The cost of all that a file holds, that of a function once, however often it is called.
std::size_t written_cost(const ::onnx::ModelProto& model);

} // namespace model_validator::onnx_format
