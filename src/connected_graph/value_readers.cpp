#include "connected_graph/value_readers.h"

#include "connected_graph/attributes.h"

#include <model_validator/data/contains.h>

#include <boost/range/iterator_range.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

namespace model_validator {
namespace {

constexpr std::array reader_types = std::to_array<std::string_view>(
    {"Bool", "Float", "Int", "ScalarImplicit", "_local_scalar_dense", "allclose", "equal",
     "is_nonzero", "item", "tolist"});

/// Computes on values of the model, which are unknown before it runs.
bool carries_data(const Op& op) {
  return op.kind == OpKind::functional || op.kind == OpKind::module || op.kind == OpKind::input;
}

/// How many operands decide: the first of a control-flow op.
std::size_t deciding_operands(const Op& op) {
  const auto* number = find_attribute<std::int64_t>(op.attributes, "condition_operands");
  return number == nullptr ? 0 : static_cast<std::size_t>(*number);
}

std::vector<OpId> conditions_of(const ConnectedGraph& graph, OpId id) {
  const std::size_t count = deciding_operands(graph.op(id));
  std::vector<OpId> conditions;
  for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph.graph())))
    if (graph.graph()[edge].input < count) conditions.push_back(boost::source(edge, graph.graph()));
  return conditions;
}

/// Where a result goes.
enum class Use { decides, goes_on, is_data };

Use use_of(const Op& op, std::size_t operand) {
  if (op.kind == OpKind::query || op.kind == OpKind::functional) return Use::goes_on;
  const bool decides = op.kind == OpKind::control_flow && operand < deciding_operands(op);
  return decides ? Use::decides : Use::is_data;
}

} // namespace

std::vector<bool> ops_that_only_decide(const ConnectedGraph& graph) {
  const std::size_t count = graph.op_count();
  std::vector<bool> decides(count), is_data(count);
  for (OpId id = count; id-- > 0;) // in execution order: readers come before what they read
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(id, graph.graph()))) {
      const OpId to = boost::target(edge, graph.graph());
      const Use use = use_of(graph.op(to), graph.graph()[edge].input);
      const bool goes_on = use == Use::goes_on;
      if (use == Use::decides || (goes_on && decides[to])) decides[id] = true;
      if (use == Use::is_data || (goes_on && is_data[to])) is_data[id] = true;
    }
  for (OpId id = 0; id < count; ++id) decides[id] = decides[id] && !is_data[id];
  return decides;
}

bool reads_values(const ConnectedGraph& graph, OpId id) {
  const Op& op = graph.op(id);
  if (op.kind != OpKind::query || !contains(reader_types, op.type)) return false;
  const auto edges = boost::make_iterator_range(boost::in_edges(id, graph.graph()));
  return std::any_of(edges.begin(), edges.end(), [&](const auto& edge) {
    return carries_data(graph.op(boost::source(edge, graph.graph())));
  });
}

OpId reader_in_condition(const ConnectedGraph& graph, OpId control_flow) {
  std::vector<OpId> pending = conditions_of(graph, control_flow);
  std::set<OpId> seen(pending.begin(), pending.end());
  while (!pending.empty()) {
    const OpId id = pending.back();
    pending.pop_back();
    if (reads_values(graph, id)) return id;
    const OpKind kind = graph.op(id).kind;
    if (kind != OpKind::query && kind != OpKind::control_flow) continue; // `a and b` is an `if`
    for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph.graph())))
      if (const OpId from = boost::source(edge, graph.graph()); seen.insert(from).second)
        pending.push_back(from);
  }
  return none;
}

} // namespace model_validator
