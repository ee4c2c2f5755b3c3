#include "rules/judging/operands.h"

#include "connected_graph/attributes.h"
#include "connected_graph/operators.h"

#include <model_validator/data/dtype.h>

#include <boost/range/iterator_range.hpp>

#include <algorithm>
#include <map>
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

TensorTypes operand_types(const ConnectedGraph& graph, OpId id) {
  TensorTypes types;
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

} // namespace

Operands operands_of_module(const ConnectedGraph& graph, OpId id) {
  Operands operands;
  operands.types = operand_types(graph, id);
  operands.results = graph.op(id).outputs;
  for (const Edge& edge : boost::make_iterator_range(boost::out_edges(id, graph.graph()))) {
    operands.results_used = std::max(operands.results_used, graph.graph()[edge].output + 1);
    const OpKind user = graph.op(boost::target(edge, graph.graph())).kind;
    operands.returned = operands.returned || user == OpKind::output;
  }
  return operands;
}

Operands operands_of(const ConnectedGraph& graph, OpId id) {
  Operands operands = operands_of_module(graph, id);
  for (const Edge& edge : boost::make_iterator_range(boost::in_edges(id, graph.graph())))
    if (graph.op(boost::source(edge, graph.graph())).kind == OpKind::input)
      operands.inputs.push_back(graph.graph()[edge].input);
  operands.depends_on_inputs = [&graph, id](std::size_t position) {
    const auto edges = boost::make_iterator_range(boost::in_edges(id, graph.graph()));
    return std::ranges::any_of(edges, [&graph, position](const Edge& edge) {
      return graph.graph()[edge].input == position &&
             depends_on_inputs(graph, boost::source(edge, graph.graph()));
    });
  };
  return operands;
}

} // namespace model_validator::rules
