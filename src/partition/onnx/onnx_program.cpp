#include "partition/onnx/onnx_program.h"

#include "connected_graph/module_hierarchy.h"
#include "connected_graph/onnx/attributes.h"
#include "connected_graph/onnx/node_cost.h"
#include "connected_graph/onnx/node_origin.h"
#include "connected_graph/op_type.h"
#include "connected_graph/python_trace.h"
#include "connected_graph/unfolding.h"
#include "partition/onnx/element_types.h"

#include <model_validator/error.h>

#include <algorithm>
#include <optional>
#include <set>

namespace model_validator::partition {
namespace {

using Graph = ::onnx::GraphProto;
using Node = ::onnx::NodeProto;

std::string schema_of(const Node& node) {
  return (is_default_domain(node.domain()) ? "onnx" : node.domain()) + "::" + node.op_type();
}

bool is_constant(const Node& node) {
  return is_default_domain(node.domain()) && node.op_type() == "Constant" &&
         node.output_size() == 1;
}

bool draws_random_numbers(const Node& node) {
  static const std::set<std::string> types{"RandomNormal",      "RandomUniform", "RandomNormalLike",
                                           "RandomUniformLike", "Bernoulli",     "Multinomial"};
  return is_default_domain(node.domain()) && types.contains(node.op_type());
}

std::vector<const Graph*> subgraphs(const Node& node) {
  std::vector<const Graph*> graphs;
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) graphs.push_back(&attribute.g());
    for (const auto& graph : attribute.graphs()) graphs.push_back(&graph);
  }
  return graphs;
}

/// Names that a graph inside a node takes from around it.
class OuterNames {
public:
  explicit OuterNames(std::vector<std::string>& names) : names_(names) {}

  void read(const Node& node) {
    for (const std::string& name : node.input()) add(name);
    for (const Graph* graph : subgraphs(node)) read(*graph);
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

class Reader {
public:
  Reader(OnnxProgram& program, const ReadOptions& options)
      : program_(program), model_(program.file.model), graph_(program.graph), hierarchy_(graph_),
        frames_(graph_),
        cost_left_(unfolding_limit(onnx_format::written_cost(model_), options.max_ops)) {}

  void read() {
    read_header();
    read_names();
    for (const Node& node : model_.graph().node())
      if (!is_constant(node)) enter(node);
    for (const auto& output : model_.graph().output()) enter_output(output.name());
    infer_types();
    drop_dead_ends();
    hierarchy_.classify();
  }

private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error("damaged-onnx", graph_.origin.path, what, "export the model again");
  }

  void read_header() {
    hierarchy_.at("");
    graph_.origin.path = program_.file.file.path().string();
    graph_.origin.format = to_string(FileFormat::onnx);
    graph_.origin.file_bytes = program_.file.file.size();
    graph_.origin.producer = model_.producer_name();
    graph_.origin.traced = true;
    for (const auto& function : model_.functions())
      functions_[function.domain() + "::" + function.name()] = &function;
  }

  void read_names() {
    const Graph& graph = model_.graph();
    for (const auto* list : {&graph.value_info(), &graph.output(), &graph.input()})
      for (const auto& value : *list) program_.types[value.name()] = &value;
    for (const auto& tensor : graph.initializer()) program_.initializers[tensor.name()] = &tensor;
    for (const Node& node : graph.node())
      if (is_constant(node)) program_.constants[node.output(0)] = &node;
    for (const auto& input : graph.input())
      if (!program_.initializers.contains(input.name())) enter_input(input);
    program_.flow.input_count = program_.values.size();
    for (const Node& node : graph.node()) {
      if (is_constant(node)) continue;
      for (const std::string& name : node.output())
        if (!name.empty() && !number(name, program_.units.size()).second)
          fail("value `" + name + "` is made twice");
      program_.units.push_back(&node);
    }
  }

  /// The number of a name, and whether it is new.
  std::pair<ValueNumber, bool> number(const std::string& name, UnitNumber maker) {
    const auto [entry, fresh] = program_.numbers.try_emplace(name, program_.values.size());
    if (fresh) {
      program_.values.push_back(name);
      program_.flow.makers.push_back(maker);
    }
    return {entry->second, fresh};
  }

  void infer_types() {
    const ElementTypes known(model_);
    for (const std::string& name : program_.values) {
      const auto declared = program_.types.find(name);
      if (declared != program_.types.end() && declared->second->has_type()) continue;
      const int type = known.of(name);
      if (type == ::onnx::TensorProto::UNDEFINED || program_.initializers.contains(name)) continue;
      auto& info = program_.inferred.emplace_back();
      info.set_name(name);
      info.mutable_type()->mutable_tensor_type()->set_elem_type(type);
      program_.types[name] = &info;
    }
  }

  TensorType type_of(const std::string& name) const {
    const auto found = program_.types.find(name);
    return found == program_.types.end() ? TensorType{}
                                         : onnx_format::tensor_type(found->second->type());
  }

  void enter_input(const ::onnx::ValueInfoProto& input) {
    number(input.name(), none);
    Op op;
    op.kind = OpKind::input;
    op.type = "input";
    op.name = unique(input.name());
    op.outputs = {type_of(input.name())};
    makers_[input.name()] = {graph_.add_op(std::move(op)), 0};
  }

  void enter_output(const std::string& name) {
    program_.flow.results.push_back(known(name, "an output of the model"));
    Op op;
    op.kind = OpKind::output;
    op.type = "output";
    op.name = unique("output_" + std::to_string(graph_.outputs().size()));
    connect(name, graph_.add_op(std::move(op)), 0);
  }

  ValueNumber known(const std::string& name, const std::string& reader) {
    const bool constant =
        program_.initializers.contains(name) || program_.constants.contains(name) || sparse(name);
    if (!constant && !program_.numbers.contains(name))
      fail(reader + " is `" + name + "`, which nothing makes");
    return number(name, none).first;
  }

  bool sparse(const std::string& name) const {
    const auto& all = model_.graph().sparse_initializer();
    return std::any_of(all.begin(), all.end(),
                       [&](const auto& tensor) { return tensor.values().name() == name; });
  }

  /// A function takes memory at every call.
  void spend(const Node& node) {
    const std::size_t cost = onnx_format::node_cost(node);
    if (cost > cost_left_)
      throw Error("too-large", graph_.origin.path,
                  "the model unfolds into more operators than any sensible network",
                  "export the model without functions, or a part of it");
    cost_left_ -= cost;
  }

  void enter(const Node& node) {
    spend(node);
    const auto names = names_read(node);
    auto& reads = program_.flow.reads.emplace_back();
    Op op = describe(node);
    bool only_numbers = true, any_size = false;
    for (const std::string& name : names) {
      reads.push_back(known(name, "what node `" + op.name + "` reads"));
      add_weight(name, reads.size() - 1, op);
      any_size = any_size || sizes_.contains(name);
      only_numbers = only_numbers && is_number(name);
    }
    const bool yields_sizes =
        is_default_domain(node.domain()) && (node.op_type() == "Shape" || node.op_type() == "Size");
    if (yields_sizes || (any_size && only_numbers && subgraphs(node).empty()))
      op.kind = OpKind::query;
    const bool query = op.kind == OpKind::query;
    for (const std::string& name : node.output()) op.outputs.push_back(type_of(name));
    const OpId id = graph_.add_op(std::move(op));
    for (std::size_t i = 0; i < names.size(); ++i) connect(names[i], id, i);
    for (int i = 0; i < node.output_size(); ++i) {
      makers_[node.output(i)] = {id, static_cast<std::size_t>(i)};
      if (query) sizes_.insert(node.output(i));
    }
    program_.flow.ops.push_back(id);
    if (!draws_random_numbers(node)) return;
    if (last_random_ != none) program_.constraints.order.emplace_back(last_random_, id);
    last_random_ = id;
  }

  /// A size, or a setting of few elements that stands beside sizes.
  bool is_number(const std::string& name) const {
    if (sizes_.contains(name)) return true;
    const auto tensor = program_.initializers.find(name);
    if (tensor != program_.initializers.end()) return literal(*tensor->second).has_value();
    return program_.constants.contains(name);
  }

  std::optional<AttributeValue> literal(const ::onnx::TensorProto& tensor) const {
    return onnx_format::literal(tensor, program_.file.filtered, program_.file.file);
  }

  Op describe(const Node& node) {
    Op op;
    op.schema = schema_of(node);
    op.type = type_of_schema("onnx::" + node.op_type());
    op.name = unique(node.name().empty() ? op.type + "_" + std::to_string(graph_.op_count())
                                         : node.name());
    op.attributes = attributes_of(node);
    place(node, op);
    const bool function = functions_.contains(node.domain() + "::" + node.op_type());
    if (!subgraphs(node).empty()) op.kind = OpKind::control_flow;
    if (function || op.kind == OpKind::control_flow) {
      auto body = std::make_shared<std::vector<Operator>>();
      collect(node, 0, *body);
      op.body = std::move(body);
    }
    return op;
  }

  void place(const Node& node, Op& op) {
    const auto origin = onnx_format::origin_of(node);
    std::vector<ModuleId> stack;
    for (const auto& [path, class_name] : origin.modules)
      stack.push_back(hierarchy_.at(path, class_name));
    op.parent = stack.empty() ? 0 : stack.back();
    op.frame = frames_.innermost(origin.trace, stack);
  }

  std::vector<Attribute> attributes_of(const Node& node) const {
    std::vector<Attribute> attributes;
    for (const auto& attribute : node.attribute())
      if (auto value = onnx_format::value_of(attribute, program_.file.filtered, program_.file.file))
        attributes.push_back({attribute.name(), std::move(*value)});
    return attributes;
  }

  /// The operators that a node stands for: of its subgraphs and functions.
  void collect(const Node& node, int depth, std::vector<Operator>& operators) {
    constexpr int deepest = 64;
    if (depth > deepest) fail("functions call each other without end");
    if (depth > 0) spend(node);
    const auto function = functions_.find(node.domain() + "::" + node.op_type());
    if (function != functions_.end()) {
      for (const Node& inner : function->second->node()) collect(inner, depth + 1, operators);
      return;
    }
    if (!is_constant(node)) operators.push_back({schema_of(node), attributes_of(node), {}, {}});
    for (const Graph* graph : subgraphs(node))
      for (const Node& inner : graph->node()) collect(inner, depth + 1, operators);
  }

  void add_weight(const std::string& name, std::size_t position, Op& op) {
    const auto tensor = program_.initializers.find(name);
    if (tensor == program_.initializers.end()) return;
    const auto [entry, fresh] = parameters_.try_emplace(name, none);
    if (fresh) {
      Parameter parameter;
      parameter.path = parameter.name = name;
      parameter.type = onnx_format::tensor_type(*tensor->second);
      entry->second = graph_.add_parameter(std::move(parameter));
    }
    op.parameters.push_back(entry->second);
    op.parameter_inputs.push_back(position);
  }

  void connect(const std::string& name, OpId to, std::size_t position) {
    const auto maker = makers_.find(name);
    if (maker == makers_.end()) return;
    const auto& [from, output] = maker->second;
    graph_.add_product(from, to, {name, output, position, type_of(name)});
  }

  /// Nodes whose values reach no output are in no piece.
  void drop_dead_ends() {
    std::vector<bool> live(program_.units.size(), false);
    std::vector<ValueNumber> pending = program_.flow.results;
    while (!pending.empty()) {
      const UnitNumber unit = program_.flow.makers[pending.back()];
      pending.pop_back();
      if (unit == none || live[unit]) continue;
      live[unit] = true;
      const auto& reads = program_.flow.reads[unit];
      pending.insert(pending.end(), reads.begin(), reads.end());
    }
    for (UnitNumber unit = 0; unit < live.size(); ++unit) {
      if (live[unit]) continue;
      graph_.op(program_.flow.ops[unit]).kind = OpKind::constant; // has no place in a partition
      program_.flow.ops[unit] = none;
    }
  }

  std::string unique(const std::string& wanted) {
    std::string name = wanted;
    for (std::size_t i = 0; !names_.insert(name).second; ++i)
      name = wanted + "_" + std::to_string(i);
    return name;
  }

  OnnxProgram& program_;
  const ::onnx::ModelProto& model_;
  ConnectedGraph& graph_;
  ModuleHierarchy hierarchy_;
  FrameTable frames_;
  std::size_t cost_left_; ///< for nodes that are still to come, those of functions at every call
  std::unordered_map<std::string, const ::onnx::FunctionProto*> functions_;
  std::unordered_map<std::string, std::pair<OpId, std::size_t>> makers_;
  std::unordered_map<std::string, ParameterId> parameters_;
  std::set<std::string> sizes_; ///< values that are sizes, or computed on sizes
  std::set<std::string> names_;
  OpId last_random_ = none;
};

} // namespace

std::vector<std::string> names_read(const Node& node) {
  std::vector<std::string> names;
  OuterNames(names).read(node);
  return names;
}

std::unique_ptr<OnnxProgram> read_onnx_program(const std::filesystem::path& file,
                                               const ReadOptions& options) {
  auto program = std::make_unique<OnnxProgram>(file);
  Reader(*program, options).read();
  return program;
}

} // namespace model_validator::partition
