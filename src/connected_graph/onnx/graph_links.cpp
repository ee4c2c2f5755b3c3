#include "connected_graph/onnx/graph_links.h"

#include "connected_graph/onnx/domain.h"

namespace model_validator::onnx_format {

bool is_standard(const ::onnx::NodeProto& node, std::string_view type) {
  return node.op_type() == type && is_default_domain(node.domain());
}

GraphLinks::GraphLinks(const ::onnx::GraphProto& graph, const Scope& scope)
    : graph_(graph), scope_(scope) {
  for (int place = 0; place < graph.node_size(); ++place) {
    for (const std::string& name : graph.node(place).output())
      if (!name.empty()) places_.emplace(name, place);
    for (const std::string& name : graph.node(place).input()) ++reads_[name];
  }
  for (const auto& output : graph.output()) results_.insert(output.name());
}

int GraphLinks::place(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? -1 : found->second;
}

const ::onnx::NodeProto* GraphLinks::maker(std::string_view name) const {
  const int made_at = place(name);
  return made_at < 0 ? nullptr : &graph_.node(made_at);
}

const ::onnx::NodeProto* GraphLinks::operand(const ::onnx::NodeProto* node, int input,
                                             std::string_view type) const {
  const auto* made =
      node != nullptr && input < node->input_size() ? maker(node->input(input)) : nullptr;
  return made != nullptr && is_standard(*made, type) ? made : nullptr;
}

int GraphLinks::reads(std::string_view name) const {
  const auto found = reads_.find(name);
  return found == reads_.end() ? 0 : found->second;
}

const Binding* GraphLinks::bound(const ::onnx::NodeProto& node, int input) const {
  return input < node.input_size() && !node.input(input).empty() ? scope_.find(node.input(input))
                                                                 : nullptr;
}

} // namespace model_validator::onnx_format
