#include "partition/graph_alone.h"

namespace model_validator::partition {
namespace {

class GraphAlone final : public Divisible {
public:
  GraphAlone(ConnectedGraph graph, Error why) : graph_(std::move(graph)), why_(std::move(why)) {}

  const ConnectedGraph& graph() const override { return graph_; }
  const Constraints& constraints() const override { return constraints_; }
  Manifest write_subgraphs(const Plan&, const std::filesystem::path&) const override { throw why_; }

private:
  ConnectedGraph graph_;
  Constraints constraints_;
  Error why_;
};

} // namespace

std::unique_ptr<Divisible> divide_graph_alone(ConnectedGraph graph, Error why) {
  return std::make_unique<GraphAlone>(std::move(graph), std::move(why));
}

} // namespace model_validator::partition
