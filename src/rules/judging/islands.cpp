#include "rules/judging/islands.h"

#include <boost/pending/disjoint_sets.hpp>

#include <map>
#include <numeric>

namespace model_validator::rules {

using Edge = ConnectedGraph::Graph::edge_descriptor;

bool computes(const Op& op) {
  return op.kind == OpKind::module || op.kind == OpKind::functional ||
         op.kind == OpKind::control_flow;
}

std::set<OpId> run_elsewhere(const std::vector<RefusedOp>& refused) {
  std::set<OpId> ops;
  for (const RefusedOp& each : refused)
    if (each.op != none && !each.refusals.empty() &&
        each.refusals.front().mishap == Mishap::refused)
      ops.insert(each.op);
  return ops;
}

std::vector<std::vector<OpId>> islands_without(const ConnectedGraph& graph,
                                               const std::set<OpId>& elsewhere) {
  std::vector<std::size_t> rank(graph.op_count());
  std::vector<OpId> parent(graph.op_count());
  std::iota(parent.begin(), parent.end(), OpId{0});
  boost::disjoint_sets sets(rank.data(), parent.data());
  const auto stays = [&](OpId op) { return computes(graph.op(op)) && !elsewhere.contains(op); };
  for (const Edge& edge : boost::make_iterator_range(boost::edges(graph.graph())))
    if (const OpId from = boost::source(edge, graph.graph()),
        to = boost::target(edge, graph.graph());
        stays(from) && stays(to))
      sets.union_set(from, to);
  std::vector<std::vector<OpId>> islands;
  std::map<OpId, std::size_t> places;
  for (OpId op = 0; op < graph.op_count(); ++op) {
    if (!stays(op)) continue;
    const auto [place, is_new] = places.try_emplace(sets.find_set(op), islands.size());
    if (is_new) islands.emplace_back();
    islands[place->second].push_back(op);
  }
  return islands;
}

} // namespace model_validator::rules
