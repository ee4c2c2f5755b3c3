#include "connected_graph/onnx/converter.h"
#include "connected_graph/name_limit.h"
#include "connected_graph/onnx/node_cost.h"
#include "connected_graph/op_type.h"

#include <algorithm>

// What stands for several nodes: calls of model-local functions, and operators with subgraphs.

namespace model_validator::onnx_format {
namespace {

constexpr int deepest = 64;

/// A function that torch's older exporter made of a module: its domain is the Python module.
/// Domains of others, such as `com.microsoft`, look alike.
bool stands_for_module(const ::onnx::FunctionProto& function, const std::string& producer) {
  return producer == "pytorch" && function.domain().find('.') != std::string::npos &&
         !function.domain().starts_with("pkg.");
}

class DepthGuard {
public:
  explicit DepthGuard(int& depth) : depth_(depth) { ++depth_; }
  ~DepthGuard() { --depth_; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;

private:
  int& depth_;
};

const ::onnx::GraphProto* branch(const ::onnx::NodeProto& node, const std::string& name) {
  for (const auto& attribute : node.attribute())
    if (attribute.name() == name && attribute.has_g()) return &attribute.g();
  return nullptr;
}

} // namespace

void Converter::convert_call(const Node& node, const ::onnx::FunctionProto& function, Scope& scope,
                             const Place& place) {
  const DepthGuard guard(depth_);
  if (depth_ > deepest)
    fail("function `" + function.name() + "` calls itself, or calls are nested too deeply");
  ++calls_;
  if (node.input_size() > function.input_size())
    fail("function `" + function.name() + "` is called with too many inputs");

  spend(declaration_cost(function));
  Place inside = place;
  inside.function = &function;
  auto attributes = std::make_shared<FunctionAttributes>();
  for (const auto& defaulted : function.attribute_proto())
    (*attributes)[defaulted.name()] = &defaulted;
  for (const auto& attribute : node.attribute())
    if (const auto* found = given(attribute, place)) (*attributes)[attribute.name()] = found;
  inside.attributes = std::move(attributes);
  if (stands_for_module(function, source_.model.producer_name())) {
    const std::string around =
        inside.stack.empty() ? std::string{} : graph_.module(inside.stack.back().module).path;
    const std::string name = node.name().empty() ? function.name() : node.name();
    const std::string path = around.empty() ? name : around + "." + name;
    if (is_nested_beyond_sense(path)) fail("its modules are nested too deeply");
    spend(cost_of_bytes(path.size()));
    if (inside.stack.empty()) inside.stack.push_back({hierarchy_.at(""), none});
    inside.stack.push_back(
        {hierarchy_.at(path, function.domain() + "." + function.name()), calls_});
    graph_.origin.has_modules = true;
  } else if (inside.operation.empty()) {
    inside.operation = "call " + std::to_string(calls_);
    inside.schema = function.domain() + "::" + function.name();
    require_short_name(inside.schema);
  }

  Scope body(nullptr);
  for (int i = 0; i < function.input_size(); ++i) {
    const bool given = i < node.input_size() && !node.input(i).empty();
    bind(body, function.input(i), given ? *find(node, node.input(i), scope) : Binding{});
  }
  for (const auto& value : function.value_info())
    body.set_type(value.name(), tensor_type(value.type()));
  convert_nodes(function.node(), body, inside);
  for (int i = 0; i < node.output_size() && i < function.output_size(); ++i) {
    if (node.output(i).empty()) continue;
    const Binding* result = body.find(function.output(i));
    if (result == nullptr)
      fail("output `" + function.output(i) + "` of function `" + function.name() +
           "` is made by no node");
    bind(scope, node.output(i), *result);
  }
}

/// The body of a loop sees the values that go round as they were before it.
void Converter::bind_body_inputs(const Node& node, const Graph& graph, const Scope& outer,
                                 Scope& inner) {
  // `Loop` begins with trip count and condition, its body with iteration number and condition.
  for (int i = 0; i < graph.input_size(); ++i) {
    Binding binding;
    const bool counter = node.op_type() == "Loop" && i < 2;
    if (!counter && i < node.input_size() && !node.input(i).empty())
      binding = *find(node, node.input(i), outer);
    binding.query = counter;
    // A `Scan` hands its body slices: of what goes in, the dtype alone holds inside.
    binding.type.rank.reset();
    if (KnownType declared(inner.type_of(graph.input(i).name())); !declared.dtype.empty())
      binding.type = std::move(declared);
    bind(inner, graph.input(i).name(), std::move(binding));
  }
}

std::vector<Binding> Converter::convert_subgraph(const Node& node, const Graph& graph,
                                                 const Scope& scope, const Place& place,
                                                 bool is_arm) {
  const DepthGuard guard(depth_);
  if (depth_ > deepest) fail("its subgraphs are nested too deeply");
  spend(declaration_cost(graph));
  Scope inner(&scope);
  declare_types(graph, inner);
  bind_initializers(graph, inner);
  if (!is_arm) bind_body_inputs(node, graph, scope, inner);
  convert_nodes(graph.node(), inner, place);
  std::vector<Binding> results;
  for (const auto& output : graph.output()) results.push_back(*find(node, output.name(), inner));
  return results;
}

void Converter::convert_with_subgraphs(const Node& node, Scope& scope, const Place& place) {
  const std::size_t number = regions_++;
  FlatNode flat = flat_node(node, scope, place);
  flat.origin.clear();
  flat.origin_schema.clear();
  flat.origin_type.clear();
  flat.kind = OpKind::control_flow;
  bool query = false;
  std::vector<KnownType> types = types_yielded(node, scope, place);
  const auto add_region = [&](const Graph& graph, Region::Kind kind) {
    Place inside = place;
    inside.operation.clear();
    inside.schema.clear();
    inside.region = graph_.add_region({kind, number, place.region, none});
    flat.owned_regions.push_back(inside.region);
    const bool is_arm = kind != Region::Kind::loop_body;
    const std::vector<Binding> results = convert_subgraph(node, graph, scope, inside, is_arm);
    for (const Binding& result : results) flat.inputs.push_back(result.value);
    // The body of a `Loop` yields its condition first, which the loop does not.
    const std::size_t kept_back = !is_arm && node.op_type() == "Loop" ? 1 : 0;
    for (std::size_t i = 0; i < types.size() && i + kept_back < results.size(); ++i)
      if (types[i].dtype.empty()) types[i].dtype = results[i + kept_back].type.dtype;
  };
  const Graph* then_branch = branch(node, "then_branch");
  const Graph* else_branch = branch(node, "else_branch");
  if (then_branch != nullptr && else_branch != nullptr) {
    add_inputs(node, scope, flat, query);
    add_region(*then_branch, Region::Kind::then_arm);
    add_region(*else_branch, Region::Kind::else_arm);
  } else {
    for (const std::string& input : node.input())
      if (!input.empty()) find(node, input, scope);
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) add_region(attribute.g(), Region::Kind::loop_body);
      for (const Graph& graph : attribute.graphs()) add_region(graph, Region::Kind::loop_body);
    }
  }
  add_attributes(node, place, flat);
  record(node, scope, place, types, assembler_.nodes().size());
  bind_outputs(node, scope, flat, query, types);
  assembler_.add(std::move(flat));
}

} // namespace model_validator::onnx_format
