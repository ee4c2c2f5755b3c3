#include "connected_graph/onnx/value_makers.h"

#include <google/protobuf/repeated_ptr_field.h>

#include <vector>

namespace model_validator::onnx_format {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<::onnx::NodeProto>;
using Makers = std::vector<std::string>;

std::string words_of(const ::onnx::NodeProto& node, int number) {
  const std::string name = node.name().empty() ? std::to_string(number) : "`" + node.name() + "`";
  return "node " + name + " (" + node.op_type() + ")";
}

void add_nodes(const Nodes& nodes, const std::string& value, Makers& to) {
  for (int i = 0; i < nodes.size(); ++i)
    for (const std::string& output : nodes[i].output())
      if (output == value) to.push_back(words_of(nodes[i], i));
}

template <class Named>
void add_named(const Named& all, const char* what, const std::string& value, Makers& to) {
  for (const auto& each : all)
    if (each.name() == value) to.push_back(std::string(what) + " `" + value + "`");
}

Makers makers_in(const ::onnx::GraphProto& graph, const std::string& value);

/// Those of the first graph in a node in which there are two.
Makers makers_within(const Nodes& nodes, const std::string& value) {
  for (const auto& node : nodes)
    for (const auto& attribute : node.attribute())
      if (attribute.has_g())
        if (Makers found = makers_in(attribute.g(), value); found.size() > 1) return found;
  return {};
}

Makers makers_in(const ::onnx::GraphProto& graph, const std::string& value) {
  Makers found;
  add_named(graph.initializer(), "initializer", value, found);
  // Before version 4 of the format, an initializer is an input as well.
  if (found.empty()) add_named(graph.input(), "input", value, found);
  add_nodes(graph.node(), value, found);
  return found.size() > 1 ? found : makers_within(graph.node(), value);
}

Makers makers_in(const ::onnx::FunctionProto& function, const std::string& value) {
  Makers found;
  for (const std::string& input : function.input())
    if (input == value) found.push_back("input `" + value + "`");
  add_nodes(function.node(), value, found);
  return found.size() > 1 ? found : makers_within(function.node(), value);
}

} // namespace

std::string makers_in_words(const ::onnx::ModelProto& model, const std::string& value) {
  Makers found = makers_in(model.graph(), value);
  for (const auto& function : model.functions())
    if (found.size() < 2) found = makers_in(function, value);
  return found.size() < 2 ? std::string() : found[0] + " and " + found[1];
}

} // namespace model_validator::onnx_format
