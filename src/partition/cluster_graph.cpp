#include "partition/cluster_graph.h"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/topological_sort.hpp>
#include <boost/pending/disjoint_sets.hpp>
#include <boost/property_map/property_map.hpp>

#include <algorithm>
#include <map>
#include <numeric>

namespace model_validator::partition {
namespace {

using Edges = std::vector<std::pair<std::size_t, std::size_t>>;
using Sparse = boost::compressed_sparse_row_graph<boost::directedS>;

/// Groups of numbers, merged as they turn out to belong together.
class Groups {
public:
  explicit Groups(std::size_t size)
      : ranks_(size, 0), parents_(size), sets_(Map(ranks_.begin()), Map(parents_.begin())) {
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
  }
  void unite(std::size_t a, std::size_t b) { sets_.union_set(a, b); }
  std::size_t of(std::size_t a) { return sets_.find_set(a); }

private:
  using Map = boost::iterator_property_map<std::vector<std::size_t>::iterator,
                                           boost::typed_identity_property_map<std::size_t>>;

  std::vector<std::size_t> ranks_;
  std::vector<std::size_t> parents_;
  boost::disjoint_sets<Map, Map> sets_;
};

Part part_of(OpKind kind) {
  switch (kind) {
  case OpKind::module:
  case OpKind::functional:
  case OpKind::control_flow: return Part::computing;
  case OpKind::query: return Part::carried;
  case OpKind::input:
  case OpKind::output:
  case OpKind::constant: break;
  }
  return Part::outside;
}

/// Numbers groups from 0, in the order of their first members.
std::vector<std::size_t> numbered(const std::vector<std::size_t>& groups, std::size_t& count) {
  std::map<std::size_t, std::size_t> numbers;
  std::vector<std::size_t> result(groups.size(), none);
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i] != none) result[i] = numbers.try_emplace(groups[i], numbers.size()).first->second;
  count = numbers.size();
  return result;
}

/// Merges clusters that lie on a cycle.
std::vector<std::size_t> without_cycles(const Edges& edges, std::size_t count) {
  const Sparse graph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), count);
  std::vector<std::size_t> components(count);
  if (count > 0)
    boost::strong_components(
        graph, boost::make_iterator_property_map(components.begin(),
                                                 boost::get(boost::vertex_index, graph)));
  return components;
}

} // namespace

std::vector<Part> parts_of(const ConnectedGraph& graph, const Constraints& constraints) {
  std::vector<Part> parts;
  for (OpId op = 0; op < graph.op_count(); ++op) parts.push_back(part_of(graph.op(op).kind));
  for (const OpId op : constraints.absent) parts[op] = Part::outside;
  return parts;
}

ClusterGraph::ClusterGraph(const ConnectedGraph& graph, const Constraints& constraints)
    : parts_(parts_of(graph, constraints)) {
  draw_together(graph, constraints);
  connect(edges_of(graph, constraints));
  weigh();
  sort();
}

ClusterGraph::Edges ClusterGraph::edges_of(const ConnectedGraph& graph,
                                           const Constraints& constraints) const {
  Edges edges;
  edges.reserve(graph.product_count() + constraints.order.size());
  const auto add = [&](OpId from, OpId to) {
    if (is_divided(from) && is_divided(to)) edges.emplace_back(from, to);
  };
  for (const auto edge : boost::make_iterator_range(boost::edges(graph.graph())))
    add(boost::source(edge, graph.graph()), boost::target(edge, graph.graph()));
  for (const auto& [first, second] : constraints.order) add(first, second);
  return edges;
}

/// The outermost control-flow op around an op, among those that are to be run; `none` if there is
/// none.
OpId ClusterGraph::control_flow_around(const ConnectedGraph& graph, RegionId region) const {
  OpId outermost = none;
  for (; region != none; region = graph.regions()[region].parent)
    if (const OpId op = graph.regions()[region].op; op != none && computes(op)) outermost = op;
  return outermost;
}

void ClusterGraph::draw_together(const ConnectedGraph& graph, const Constraints& constraints) {
  Groups groups(graph.op_count());
  for (const auto& group : constraints.inseparable)
    for (const OpId op : group) groups.unite(group.front(), op);
  for (OpId op = 0; op < graph.op_count(); ++op)
    if (const OpId around = control_flow_around(graph, graph.op(op).region);
        around != none && is_divided(op))
      groups.unite(around, op);
  std::vector<std::size_t> group_of(graph.op_count(), none);
  for (OpId op = 0; op < graph.op_count(); ++op)
    if (is_divided(op)) group_of[op] = groups.of(op);
  std::size_t count = 0;
  group_of = numbered(group_of, count);

  Edges edges = edges_of(graph, constraints);
  for (auto& [from, to] : edges) {
    from = group_of[from];
    to = group_of[to];
  }
  const auto components = without_cycles(edges, count);
  for (auto& group : group_of)
    if (group != none) group = components[group];
  cluster_of_ = numbered(group_of, count);
  weights_.assign(count, 0);
}

void ClusterGraph::connect(const Edges& op_edges) {
  Edges edges;
  for (const auto& [from, to] : op_edges)
    if (cluster_of_[from] != cluster_of_[to])
      edges.emplace_back(cluster_of_[from], cluster_of_[to]);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  first_successor_.assign(size() + 1, 0);
  predecessor_counts_.assign(size(), 0);
  for (const auto& [from, to] : edges) {
    ++first_successor_[from + 1];
    ++predecessor_counts_[to];
    successors_.push_back(to);
  }
  std::partial_sum(first_successor_.begin(), first_successor_.end(), first_successor_.begin());
}

void ClusterGraph::weigh() {
  carried_.assign(size(), true);
  std::vector<std::size_t> members(size(), 0);
  for (OpId op = 0; op < cluster_of_.size(); ++op) {
    const ClusterId cluster = cluster_of_[op];
    if (cluster == none) continue;
    if (computes(op)) ++weights_[cluster];
    if (computes(op) || ++members[cluster] > 1) carried_[cluster] = false;
  }
}

void ClusterGraph::sort() {
  Edges edges;
  for (ClusterId from = 0; from < size(); ++from)
    for (const ClusterId to : successors(from)) edges.emplace_back(from, to);
  const Sparse graph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), size());
  order_.reserve(size());
  boost::topological_sort(graph, std::back_inserter(order_));
  std::reverse(order_.begin(), order_.end());
}

} // namespace model_validator::partition
