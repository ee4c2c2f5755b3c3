#include "connected_graph/onnx/place_finder.h"

#include "connected_graph/module_depth.h"
#include "connected_graph/name_limit.h"
#include "connected_graph/onnx/node_cost.h"
#include "connected_graph/onnx/node_origin.h"
#include "connected_graph/op_type.h"

namespace model_validator::onnx_format {
namespace {

/// A function that torch's older exporter made from a module: its domain is the Python module.
/// Other producers' domains, such as `com.microsoft`, look similar.
bool stands_for_module(const ::onnx::FunctionProto& function, const std::string& producer) {
  return producer == "pytorch" && function.domain().find('.') != std::string::npos &&
         !function.domain().starts_with("pkg.");
}

} // namespace

/// A node without its own metadata came from rewriting its neighbour: it belongs to the same user
/// module.
Place PlaceFinder::place_of(const ::onnx::NodeProto& node, const Place& around) {
  NodeOrigin origin = origin_of(node);
  require_short_name(origin.operation);
  require_short_name(origin.schema);
  Place place = around;
  if (origin.known()) {
    graph_.origin.has_modules = graph_.origin.has_modules || origin.has_classes;
    place.stack.clear();
    for (const auto& [path, class_name] : origin.modules)
      place.stack.push_back({hierarchy_.at(path, class_name), none});
    last_stack_ = place.stack;
  } else if (around.stack.empty()) {
    place.stack = last_stack_;
    while (!place.stack.empty() && is_torch_nn(graph_.module(place.stack.back().module).class_name))
      place.stack.pop_back();
  }
  if (!origin.trace.empty()) place.frame = frames_.innermost(origin.trace, place.stack);
  if (around.operation.empty()) {
    place.operation = origin.operation;
    place.schema = origin.schema;
  }
  return place;
}

Place PlaceFinder::place_inside(const ::onnx::FunctionProto& function,
                                const ::onnx::NodeProto& node, const Place& place,
                                const std::string& producer) {
  ++calls_;
  Place inside = place;
  inside.function = &function;
  auto attributes = std::make_shared<FunctionAttributes>();
  for (const auto& defaulted : function.attribute_proto())
    (*attributes)[defaulted.name()] = &defaulted;
  for (const auto& attribute : node.attribute())
    if (const auto* found = reader_.given(attribute, place))
      (*attributes)[attribute.name()] = found;
  inside.attributes = std::move(attributes);
  if (stands_for_module(function, producer)) {
    enter_module(function, node, inside.stack);
  } else if (inside.operation.empty()) {
    inside.operation = "call " + std::to_string(calls_);
    inside.schema = function.domain() + "::" + function.name();
    require_short_name(inside.schema);
  }
  return inside;
}

void PlaceFinder::enter_module(const ::onnx::FunctionProto& function, const ::onnx::NodeProto& node,
                               std::vector<ModuleCall>& stack) {
  const std::string around =
      stack.empty() ? std::string{} : graph_.module(stack.back().module).path;
  const std::string name = node.name().empty() ? function.name() : node.name();
  const std::string path = around.empty() ? name : around + "." + name;
  if (is_nested_too_deeply(path)) reader_.fail("its modules are nested too deeply");
  reader_.spend(cost_of_bytes(path.size()));
  if (stack.empty()) stack.push_back({hierarchy_.at(""), none});
  stack.push_back({hierarchy_.at(path, function.domain() + "." + function.name()), calls_});
  graph_.origin.has_modules = true;
}

} // namespace model_validator::onnx_format
