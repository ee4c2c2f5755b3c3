#include "partition/onnx/element_types.h"

#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/yielded_types.h"

#include <string_view>
#include <utility>

namespace model_validator::partition {
namespace {

using ::onnx::TensorProto;

using onnx_format::is_default_domain;

int element_type(const ::onnx::ValueInfoProto& value) {
  return value.type().tensor_type().elem_type();
}

const ::onnx::AttributeProto* attribute(const ::onnx::NodeProto& node, std::string_view name) {
  for (const auto& each : node.attribute())
    if (each.name() == name) return &each;
  return nullptr;
}

const ::onnx::GraphProto* graph_in(const ::onnx::NodeProto& node, std::string_view name) {
  const auto* found = attribute(node, name);
  return found != nullptr && found->has_g() ? &found->g() : nullptr;
}

std::string key(const std::string& domain, const std::string& name, const std::string& overload) {
  return domain + '\n' + name + '\n' + overload;
}

} // namespace

ElementTypes::ElementTypes(const ::onnx::ModelProto& model) {
  for (const auto& function : model.functions())
    functions_[key(function.domain(), function.name(), function.overload())] = &function;
  scopes_.emplace_back();
  declare(model.graph());
  follow(model.graph().node());
}

int ElementTypes::of(const std::string& value) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(value); found != scope->end()) return found->second;
  return TensorProto::UNDEFINED;
}

void ElementTypes::declare(const Graph& graph) {
  Scope& scope = scopes_.back();
  for (const auto& tensor : graph.initializer()) scope[tensor.name()] = tensor.data_type();
  for (const auto& sparse : graph.sparse_initializer())
    scope[sparse.values().name()] = sparse.values().data_type();
  for (const auto* list : {&graph.input(), &graph.value_info(), &graph.output()})
    for (const auto& value : *list)
      if (element_type(value) != TensorProto::UNDEFINED) scope[value.name()] = element_type(value);
}

void ElementTypes::follow(const Nodes& nodes) {
  for (const Node& node : nodes) follow(node);
}

void ElementTypes::follow(const Node& node) {
  const Types types = yielded(node);
  Scope& scope = scopes_.back();
  for (std::size_t i = 0; i < types.size() && i < static_cast<std::size_t>(node.output_size()); ++i)
    if (types[i] != TensorProto::UNDEFINED)
      scope.try_emplace(node.output(static_cast<int>(i)), types[i]);
}

ElementTypes::Types ElementTypes::yielded(const Node& node) {
  const auto function = functions_.find(key(node.domain(), node.op_type(), node.overload()));
  if (function != functions_.end()) return yielded_by_function(node, *function->second);
  if (!is_default_domain(node.domain())) return {};
  if (const Graph* branch = graph_in(node, "then_branch")) return yielded_by_branch(*branch);
  if (const Graph* body = graph_in(node, "body")) return yielded_by_body(node, *body);
  return yielded_by_rule(node);
}

/// A function sees nothing of its surroundings.
ElementTypes::Types ElementTypes::yielded_by_function(const Node& node,
                                                      const ::onnx::FunctionProto& function) {
  Scope inside;
  for (int i = 0; i < function.input_size() && i < node.input_size(); ++i)
    inside[function.input(i)] = of(node.input(i));
  std::vector<Scope> around = std::exchange(scopes_, {});
  scopes_.push_back(std::move(inside));
  follow(function.node());
  Types types;
  for (const std::string& output : function.output()) types.push_back(of(output));
  scopes_ = std::move(around);
  return types;
}

ElementTypes::Types ElementTypes::yielded_by_branch(const Graph& branch) {
  scopes_.emplace_back();
  declare(branch);
  follow(branch.node());
  Types types;
  for (const auto& output : branch.output()) types.push_back(of(output.name()));
  scopes_.pop_back();
  return types;
}

/// `Loop` begins with trip count and condition, its body with iteration number and condition; only
/// the condition is among what the body yields.
ElementTypes::Types ElementTypes::yielded_by_body(const Node& node, const Graph& body) {
  const bool loop = node.op_type() == "Loop";
  Scope inputs;
  for (int i = 0; i < body.input_size(); ++i)
    inputs[body.input(i).name()] = type_of_input(node, static_cast<std::size_t>(i));
  scopes_.push_back(std::move(inputs));
  Types types = yielded_by_branch(body);
  scopes_.pop_back();
  if (loop && !types.empty()) types.erase(types.begin());
  return types;
}

ElementTypes::Types ElementTypes::yielded_by_rule(const Node& node) const {
  Types types;
  for (const onnx_format::YieldedType& each : onnx_format::yielded_types(
           node, [&node](std::string_view name) { return attribute(node, name); }))
    types.push_back(each.input == onnx_format::YieldedType::no_input
                        ? each.type
                        : type_of_input(node, each.input));
  return types;
}

int ElementTypes::type_of_input(const Node& node, std::size_t number) const {
  return number < static_cast<std::size_t>(node.input_size())
             ? of(node.input(static_cast<int>(number)))
             : TensorProto::UNDEFINED;
}

} // namespace model_validator::partition
