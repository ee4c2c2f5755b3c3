#include "partition/torchscript/node_origins.h"

#include "connected_graph/torchscript/ir/nested_nodes.h"

namespace model_validator::partition {
namespace {

c10::Symbol origin_attribute() {
  static const auto symbol = c10::Symbol::attr("model_validator_origin");
  return symbol;
}

} // namespace

void NodeOrigins::note(Node& made, std::optional<torchscript::NodeMap::Context> context,
                       const Node& node, const torchscript::NodeMap& map) {
  if (!context) return;
  std::vector<OpId> ops;
  for (const auto& record : map.at(*context, node))
    if (record.op != none) ops.push_back(record.op);
  if (ops.empty()) return;
  made.i_(origin_attribute(), static_cast<std::int64_t>(ops_.size()));
  ops_.push_back(std::move(ops));
}

std::vector<std::vector<OpId>> NodeOrigins::find(const Units& units) const {
  std::vector<std::vector<OpId>> found;
  for (const Unit& unit : units.all()) {
    std::vector<OpId>& ops = found.emplace_back();
    torchscript::for_nested_nodes(*unit.node, [&](const Node& node) {
      if (!node.hasAttribute(origin_attribute())) return;
      const auto& its = ops_.at(static_cast<std::size_t>(node.i(origin_attribute())));
      ops.insert(ops.end(), its.begin(), its.end());
    });
  }
  return found;
}

} // namespace model_validator::partition
