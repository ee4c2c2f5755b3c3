#include "partition/graph_alone.h"

#include <map>
#include <vector>

namespace model_validator::partition {
namespace {

/// An `if` or loop goes to one target with all that it holds.
Constraints constraints_of(const ConnectedGraph& graph) {
  const auto& regions = graph.regions();
  std::map<OpId, std::vector<OpId>> whole;
  for (OpId op = 0; op < graph.op_count(); ++op) {
    OpId outermost = none;
    for (RegionId region = graph.op(op).region; region != none; region = regions[region].parent)
      if (regions[region].op != none) outermost = regions[region].op;
    if (outermost != none) whole.try_emplace(outermost, 1, outermost).first->second.push_back(op);
  }
  Constraints constraints;
  for (auto& entry : whole) constraints.inseparable.push_back(std::move(entry.second));
  return constraints;
}

class GraphAlone final : public PartitionableModel {
public:
  GraphAlone(ConnectedGraph graph, Error why)
      : graph_(std::move(graph)), constraints_(constraints_of(graph_)), why_(std::move(why)) {}

  const ConnectedGraph& graph() const override { return graph_; }
  const Constraints& constraints() const override { return constraints_; }
  Manifest write_subgraphs(const Plan&, const std::filesystem::path&) const override { throw why_; }

private:
  ConnectedGraph graph_;
  Constraints constraints_;
  Error why_;
};

} // namespace

std::unique_ptr<PartitionableModel> divide_graph_alone(ConnectedGraph graph, Error why) {
  return std::make_unique<GraphAlone>(std::move(graph), std::move(why));
}

} // namespace model_validator::partition
