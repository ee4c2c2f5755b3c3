#include "connected_graph/onnx/node_cost.h"

#include "connected_graph/onnx/names_read.h"

namespace model_validator::onnx_format {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<::onnx::NodeProto>;

/// Besides its bytes, each listed item takes a table entry.
constexpr std::size_t place_in_table = 32;

template <class Messages> std::size_t bytes_of(const Messages& messages) {
  std::size_t bytes = 0;
  for (const auto& message : messages) bytes += place_in_table + message.ByteSizeLong();
  return bytes;
}

std::size_t bytes_of(const google::protobuf::RepeatedPtrField<std::string>& texts) {
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += place_in_table + text.size();
  return bytes;
}

std::size_t cost_of(const Nodes& nodes);

std::size_t cost_of(const ::onnx::GraphProto& graph) {
  return declaration_cost(graph) + cost_of(graph.node());
}

// The depth of graphs was bounded when the file was filtered.
std::size_t cost_of(const Nodes& nodes) {
  std::size_t cost = 0;
  for (const auto& node : nodes) {
    cost += node_cost(node);
    for (const ::onnx::GraphProto* graph : graphs_of(node)) cost += cost_of(*graph);
  }
  return cost;
}

} // namespace

std::size_t node_cost(const ::onnx::NodeProto& node) {
  std::size_t bytes = node.name().size() + node.op_type().size() + node.domain().size() +
                      bytes_of(node.input()) + bytes_of(node.output()) +
                      bytes_of(node.metadata_props());
  for (const auto& attribute : node.attribute())
    if (!attribute.has_g() && attribute.graphs().empty())
      bytes += place_in_table + attribute.ByteSizeLong();
  return 1 + cost_of_bytes(bytes);
}

std::size_t declaration_cost(const ::onnx::GraphProto& graph) {
  return cost_of_bytes(bytes_of(graph.value_info()) + bytes_of(graph.input()) +
                       bytes_of(graph.output()) + bytes_of(graph.initializer()) +
                       bytes_of(graph.sparse_initializer()));
}

std::size_t declaration_cost(const ::onnx::FunctionProto& function) {
  return cost_of_bytes(bytes_of(function.value_info()) + bytes_of(function.input()) +
                       bytes_of(function.output()) + bytes_of(function.attribute_proto()));
}

std::size_t written_cost(const ::onnx::ModelProto& model) {
  std::size_t cost = cost_of(model.graph());
  for (const auto& function : model.functions())
    cost += declaration_cost(function) + cost_of(function.node());
  return cost;
}

} // namespace model_validator::onnx_format
