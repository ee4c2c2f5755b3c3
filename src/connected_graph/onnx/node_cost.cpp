#include "connected_graph/onnx/node_cost.h"

namespace model_validator::onnx_format {
namespace {

constexpr std::size_t ordinary_settings = 1024;

using Nodes = google::protobuf::RepeatedPtrField<::onnx::NodeProto>;

// The depth of graphs is bounded where the file was filtered.
std::size_t cost_of(const Nodes& nodes) {
  std::size_t cost = 0;
  for (const auto& node : nodes) {
    cost += node_cost(node);
    for (const auto& attribute : node.attribute()) {
      cost += cost_of(attribute.g().node());
      for (const auto& graph : attribute.graphs()) cost += cost_of(graph.node());
    }
  }
  return cost;
}

} // namespace

std::size_t node_cost(const ::onnx::NodeProto& node) {
  std::size_t bytes = 0;
  for (const auto& attribute : node.attribute())
    if (!attribute.has_g() && attribute.graphs().empty()) bytes += attribute.ByteSizeLong();
  return 1 + bytes / ordinary_settings;
}

std::size_t written_cost(const ::onnx::ModelProto& model) {
  std::size_t cost = cost_of(model.graph().node());
  for (const auto& function : model.functions()) cost += cost_of(function.node());
  return cost;
}

} // namespace model_validator::onnx_format
