#pragma once

#include <model_validator/partition/plan.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace model_validator::partition {

/// What an op is to the division.
enum class Part : std::uint8_t {
  outside,   ///< an input, output or constant, or an op that is absent: in no partition
  carried,   ///< a query, which is computed wherever it is needed
  computing, ///< does work that a target is chosen for
};

/// The part of each op.
std::vector<Part> parts_of(const ConnectedGraph& graph, const Constraints& constraints);

using ClusterId = std::size_t;

/// The ops of a graph, with inseparable ops merged: a directed acyclic graph of clusters. Ops on a
/// path between two ops of a cluster belong to it too, or else there would be no order to run in.
class ClusterGraph {
public:
  ClusterGraph(const ConnectedGraph& graph, const Constraints& constraints);

  std::size_t size() const noexcept { return weights_.size(); }
  /// The cluster of an op; `none` for inputs, outputs and constants.
  ClusterId cluster_of(OpId op) const { return cluster_of_[op]; }
  /// Whether an op does work that a target is chosen for.
  bool computes(OpId op) const { return parts_[op] == Part::computing; }
  /// Whether it is only a query, computed wherever it is needed.
  bool carried(ClusterId cluster) const { return carried_[cluster]; }
  /// How many ops of it compute.
  std::size_t weight(ClusterId cluster) const { return weights_[cluster]; }
  std::span<const ClusterId> successors(ClusterId cluster) const {
    return {successors_.data() + first_successor_[cluster],
            first_successor_[cluster + 1] - first_successor_[cluster]};
  }
  std::size_t predecessor_count(ClusterId cluster) const { return predecessor_counts_[cluster]; }
  /// All clusters, each before those that read it.
  const std::vector<ClusterId>& topological_order() const noexcept { return order_; }

private:
  using Edges = std::vector<std::pair<ClusterId, ClusterId>>;

  OpId control_flow_around(const ConnectedGraph& graph, RegionId region) const;
  void draw_together(const ConnectedGraph& graph, const Constraints& constraints);
  void connect(const Edges& op_edges);
  void weigh();
  void sort();

  bool is_divided(OpId op) const { return parts_[op] != Part::outside; }
  Edges edges_of(const ConnectedGraph& graph, const Constraints& constraints) const;

  std::vector<Part> parts_;
  std::vector<ClusterId> cluster_of_;
  std::vector<bool> carried_;
  std::vector<std::size_t> weights_;
  std::vector<std::size_t> first_successor_;
  std::vector<ClusterId> successors_;
  std::vector<std::size_t> predecessor_counts_;
  std::vector<ClusterId> order_;
};

} // namespace model_validator::partition
