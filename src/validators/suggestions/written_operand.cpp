#include "validators/suggestions/written_operand.h"

#include "connected_graph/attributes.h"
#include "connected_graph/operand_parameter.h"
#include "connected_graph/operator_memory.h"
#include "validators/suggestions/operators.h"

#include <boost/range/iterator_range.hpp>

#include <algorithm>
#include <set>

namespace model_validator {
namespace {

/// From the op that made the memory to the operand.
std::vector<OpId> alias_chain(const ConnectedGraph& graph, OpId id) {
  constexpr std::size_t longest = 64;
  std::vector<OpId> way;
  OpId next = op_at_operand(graph, id, 0);
  for (; next != none && way.size() < longest; next = op_at_operand(graph, next, 0)) {
    way.push_back(next);
    if (!may_pass_memory_on(graph, graph.op(next))) return way;
  }
  return {};
}

bool is_read_later(const ConnectedGraph& graph, OpId id, const std::vector<OpId>& way) {
  constexpr std::size_t max_readers = 1024; // beyond that, one is assumed to come later
  std::size_t readers = 0;
  std::set<OpId> seen(way.begin(), way.end());
  std::vector<OpId> open = way;
  while (!open.empty()) {
    const OpId next = open.back();
    open.pop_back();
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(next, graph.graph()))) {
      const OpId reader = boost::target(edge, graph.graph());
      if (reader > id || ++readers > max_readers) return true;
      if (reader < id && may_pass_memory_on(graph, graph.op(reader)) && seen.insert(reader).second)
        open.push_back(reader);
    }
  }
  return false;
}

} // namespace

bool may_pass_memory_on(const ConnectedGraph& graph, const Op& op) {
  if (may_return_operand(op.type) || is_true(op.attributes, "inplace")) return true;
  if (op.module != none && is_true(graph.module(op.module).attributes, "inplace")) return true;
  return std::ranges::any_of(operators_of(op),
                             [](const Operator& each) { return writes_in_place(each.schema); });
}

WrittenOperand written_operand(const ConnectedGraph& graph, OpId id) {
  WrittenOperand found;
  const auto way = alias_chain(graph, id);
  if (way.empty()) return found;
  found.read_later = is_read_later(graph, id, way);
  const Op& maker = graph.op(way.back());
  if (maker.kind != OpKind::module && maker.kind != OpKind::functional) return found;
  for (const FrameId frame : graph.call_chain(maker.frame))
    if (graph.location(frame).known()) found.made.push_back(graph.location(frame));
  return found;
}

} // namespace model_validator
