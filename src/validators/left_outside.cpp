#include "validators/left_outside.h"

#include "introspection/multiply_accumulates.h"
#include "text/numbers.h"
#include "text/plural.h"

#include <boost/pending/disjoint_sets.hpp>

#include <numeric>
#include <vector>

namespace model_validator {
namespace {

using Edge = ConnectedGraph::Graph::edge_descriptor;

bool computes(const Op& op) {
  return op.kind == OpKind::module || op.kind == OpKind::functional ||
         op.kind == OpKind::control_flow;
}

std::size_t islands_without(const ConnectedGraph& graph, const std::set<OpId>& refused) {
  std::vector<std::size_t> rank(graph.op_count());
  std::vector<OpId> parent(graph.op_count());
  std::iota(parent.begin(), parent.end(), OpId{0});
  boost::disjoint_sets sets(rank.data(), parent.data());
  const auto stays = [&](OpId op) { return computes(graph.op(op)) && !refused.contains(op); };
  for (const Edge& edge : boost::make_iterator_range(boost::edges(graph.graph())))
    if (const OpId from = boost::source(edge, graph.graph()),
        to = boost::target(edge, graph.graph());
        stays(from) && stays(to))
      sets.union_set(from, to);
  std::set<OpId> roots;
  for (OpId op = 0; op < graph.op_count(); ++op)
    if (stays(op)) roots.insert(sets.find_set(op));
  return roots.size();
}

std::string share_of_products(const ConnectedGraph& graph, const std::set<OpId>& refused) {
  const MultiplyAccumulates counts = count_multiply_accumulates(graph);
  if (counts.total == 0) return {};
  std::uint64_t outside = 0;
  for (const auto& [op, count] : counts.by_op)
    if (refused.contains(op)) outside += count;
  return ", with " + percent(outside, counts.total) + " of the multiply-accumulates";
}

} // namespace

std::string left_outside(const ConnectedGraph& graph, const std::set<OpId>& refused) {
  std::size_t all = 0;
  for (OpId op = 0; op < graph.op_count(); ++op) all += computes(graph.op(op)) ? 1U : 0U;
  const std::size_t islands = islands_without(graph, refused);
  return std::to_string(refused.size()) + " of " + plural(all, "op") +
         (refused.size() == 1 ? " runs elsewhere" : " run elsewhere") +
         share_of_products(graph, refused) +
         (islands == 0 ? "; nothing is left for it"
                       : "; the rest makes " + plural(islands, "island"));
}

} // namespace model_validator
