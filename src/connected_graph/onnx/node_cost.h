#pragma once

#include <cstddef>
#include <onnx-ml.pb.h>

namespace model_validator::onnx_format {

/// The cost of unfolding bytes of a file, in operators of ordinary size: one for every 256.
constexpr std::size_t cost_of_bytes(std::size_t bytes) noexcept { return bytes / 256; }

/// The cost of unfolding a node once: one, plus its names, settings and metadata. The contents of
/// its subgraphs are not counted.
std::size_t node_cost(const ::onnx::NodeProto& node);

/// The cost of unfolding a graph or function once, besides its nodes: the names, types and weights
/// that it declares.
std::size_t declaration_cost(const ::onnx::GraphProto& graph);
std::size_t declaration_cost(const ::onnx::FunctionProto& function);

/// The cost of everything in a file, counting each function once however often it is called.
std::size_t written_cost(const ::onnx::ModelProto& model);

} // namespace model_validator::onnx_format
