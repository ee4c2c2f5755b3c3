#include "rules/judging/operands.h"

#include "connected_graph/attributes.h"
#include "connected_graph/operators.h"

#include <model_validator/data/dtype.h>

#include <boost/range/iterator_range.hpp>

#include <algorithm>
#include <set>
#include <string_view>

namespace model_validator::rules {
namespace {

using Edge = boost::graph_traits<ConnectedGraph::Graph>::edge_descriptor;

/// The dtype that an op's arguments ask for; empty where they ask for none.
std::string explicit_dtype(const Op& op) {
  const auto* number = find_attribute<std::int64_t>(op.attributes, "dtype");
  if (number == nullptr) return {};
  const auto dtype = dtype_numbered(&DTypeFacts::torch, *number);
  return dtype ? to_string(*dtype) : "";
}

/// A size that a trace keeps as a tensor.
bool is_size(const ConnectedGraph& graph, OpId op) {
  if (graph.op(op).type != "NumToTensor" || boost::in_degree(op, graph.graph()) != 1) return false;
  const Edge edge = *boost::in_edges(op, graph.graph()).first;
  return graph.op(boost::source(edge, graph.graph())).type == "size";
}

TensorType carried(const ConnectedGraph& graph, Edge edge) {
  const ConnectedGraph::Graph& edges = graph.graph();
  while (edges[edge].type == TensorType{}) {
    const OpId from = boost::source(edge, edges);
    const Op& op = graph.op(from);
    if (is_size(graph, from)) return {std::nullopt, "int64"};
    if (op.type != "to" && !does(op.type, Does::keeps)) break;
    if (std::string dtype = explicit_dtype(op); !dtype.empty())
      return {std::nullopt, std::move(dtype)};
    if (boost::in_degree(from, edges) != 1) break;
    edge = *boost::in_edges(from, edges).first;
  }
  return edges[edge].type;
}

/// Whether a value depends on the values of the model's inputs. Sizes of them do not: a model is
/// compiled for given sizes.
bool depends_on_inputs(const ConnectedGraph& graph, OpId from) {
  std::set<OpId> seen{from};
  std::vector<OpId> pending{from};
  while (!pending.empty()) {
    const OpId op = pending.back();
    pending.pop_back();
    if (graph.op(op).kind == OpKind::input) return true;
    if (graph.op(op).kind == OpKind::query) continue;
    for (const Edge& edge : boost::make_iterator_range(boost::in_edges(op, graph.graph())))
      if (const OpId source = boost::source(edge, graph.graph()); seen.insert(source).second)
        pending.push_back(source);
  }
  return false;
}

/// A number that a trace keeps as a tensor.
bool is_number(const Op& op) {
  return op.kind == OpKind::constant && find_attribute(op.attributes, "value") != nullptr;
}

std::vector<TensorType> operand_types(const ConnectedGraph& graph, OpId id) {
  std::vector<TensorType> types;
  const auto put = [&types](std::size_t at, const TensorType& type) {
    if (at >= types.size()) types.resize(at + 1);
    types[at] = type;
  };
  for (const Edge& edge : boost::make_iterator_range(boost::in_edges(id, graph.graph())))
    if (!is_number(graph.op(boost::source(edge, graph.graph()))))
      put(graph.graph()[edge].input, carried(graph, edge));
  const Op& op = graph.op(id);
  for (std::size_t i = 0; i < op.parameter_inputs.size() && i < op.parameters.size(); ++i)
    put(op.parameter_inputs[i], graph.parameters()[op.parameters[i]].type);
  return types;
}

ValueId add_value(Program& program, TensorType type) {
  program.values.push_back({.name = "value", .type = std::move(type)});
  program.values.back().origin = Origin::worked_out;
  return program.values.size() - 1;
}

void note_origins(const ConnectedGraph& graph, OpId id, LoneNode& lone) {
  const std::vector<ValueId>& inputs = lone.program.nodes.front().inputs;
  for (const Edge& edge : boost::make_iterator_range(boost::in_edges(id, graph.graph()))) {
    const OpId from = boost::source(edge, graph.graph());
    const std::size_t operand = graph.graph()[edge].input;
    if (operand >= inputs.size()) continue; // a number
    Origin& origin = lone.program.values[inputs[operand]].origin;
    if (graph.op(from).kind == OpKind::input)
      origin = Origin::input;
    else if (depends_on_inputs(graph, from))
      origin = Origin::computed;
  }
}

void note_results(const ConnectedGraph& graph, OpId id, LoneNode& lone) {
  std::int64_t used = 0;
  bool leaves = false;
  for (const Edge& edge : boost::make_iterator_range(boost::out_edges(id, graph.graph()))) {
    used = std::max(used, static_cast<std::int64_t>(graph.graph()[edge].output) + 1);
    leaves |= graph.op(boost::target(edge, graph.graph())).kind == OpKind::output;
  }
  ProgramNode& node = lone.program.nodes.front();
  for (const TensorType& type : graph.op(id).outputs)
    node.outputs.push_back(add_value(lone.program, type));
  node.attributes.push_back({"used", used});
  node.attributes.push_back({"returned", leaves});
}

LoneNode with_operands(const Operator& op, const std::vector<TensorType>& types) {
  LoneNode lone;
  ProgramNode& node = lone.program.nodes.emplace_back();
  node.schema = op.schema;
  node.attributes = op.attributes;
  for (const TensorType& type : types) node.inputs.push_back(add_value(lone.program, type));
  const bool typed =
      std::ranges::any_of(types, [](const auto& type) { return !type.dtype.empty(); });
  for (const std::string& dtype : op.dtypes)
    if (!typed && !dtype.empty())
      node.inputs.push_back(add_value(lone.program, {std::nullopt, dtype}));
  return lone;
}

} // namespace

LoneNode lone_node(const Operator& op) { return with_operands(op, {TensorType{}}); }

LoneNode lone_node(const Operator& op, const ConnectedGraph& graph, OpId id, bool origins) {
  const std::vector<TensorType> types = operand_types(graph, id);
  LoneNode lone = types.empty() ? lone_node(op) : with_operands(op, types);
  if (origins) note_origins(graph, id, lone);
  note_results(graph, id, lone);
  return lone;
}

} // namespace model_validator::rules
