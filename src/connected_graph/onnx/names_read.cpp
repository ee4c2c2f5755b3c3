#include "connected_graph/onnx/names_read.h"

#include <algorithm>
#include <set>

namespace model_validator::onnx_format {

std::vector<const ::onnx::GraphProto*> graphs_of(const ::onnx::NodeProto& node) {
  std::vector<const ::onnx::GraphProto*> graphs;
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) graphs.push_back(&attribute.g());
    for (const auto& graph : attribute.graphs()) graphs.push_back(&graph);
  }
  return graphs;
}

namespace {

using Graph = ::onnx::GraphProto;
using Node = ::onnx::NodeProto;

/// Names that a graph inside a node takes from the enclosing graphs.
class OuterNames {
public:
  explicit OuterNames(std::vector<std::string>& names) : names_(names) {}

  void read(const Node& node) {
    for (const std::string& name : node.input()) add(name);
    for (const Graph* graph : graphs_of(node)) read(*graph);
  }

private:
  void read(const Graph& graph) {
    std::set<std::string> own;
    for (const auto& value : graph.input()) own.insert(value.name());
    for (const auto& tensor : graph.initializer()) own.insert(tensor.name());
    for (const auto& tensor : graph.sparse_initializer()) own.insert(tensor.values().name());
    for (const Node& node : graph.node()) own.insert(node.output().begin(), node.output().end());
    inner_.push_back(std::move(own));
    for (const Node& node : graph.node()) read(node);
    for (const auto& output : graph.output()) add(output.name());
    inner_.pop_back();
  }

  void add(const std::string& name) {
    const bool inside = std::any_of(inner_.begin(), inner_.end(),
                                    [&](const auto& names) { return names.contains(name); });
    if (!name.empty() && !inside && seen_.insert(name).second) names_.push_back(name);
  }

  std::vector<std::string>& names_;
  std::set<std::string> seen_;
  std::vector<std::set<std::string>> inner_;
};

} // namespace

std::vector<std::string> names_read(const ::onnx::NodeProto& node) {
  std::vector<std::string> names;
  OuterNames(names).read(node);
  return names;
}

} // namespace model_validator::onnx_format
