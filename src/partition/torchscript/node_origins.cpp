#include "partition/torchscript/node_origins.h"

#include "connected_graph/torchscript/ir/nested_nodes.h"

namespace model_validator::partition {
namespace {

c10::Symbol origin_attribute() {
  static const auto symbol = c10::Symbol::attr("model_validator_origin");
  return symbol;
}

} // namespace

void NodeOrigins::note(Node& made, const NodeOrigin& origin, const torchscript::NodeMap& map) {
  if (!origin.context) return;
  const std::size_t number =
      numbers_.try_emplace({*origin.context, origin.node, origin.part}, numbers_.size())
          .first->second;
  std::vector<UnitNode> ops;
  for (const auto& record : map.at(*origin.context, *origin.node))
    if (record.op != none) ops.push_back({record.op, number});
  if (ops.empty()) return;
  made.i_(origin_attribute(), static_cast<std::int64_t>(ops_.size()));
  ops_.push_back(std::move(ops));
}

UnitNodes NodeOrigins::find(const Units& units) const {
  UnitNodes found;
  for (const Unit& unit : units.all()) {
    std::vector<UnitNode>& ops = found.emplace_back();
    torchscript::for_nested_nodes(*unit.node, [&](const Node& node) {
      if (!node.hasAttribute(origin_attribute())) return;
      const auto& its = ops_.at(static_cast<std::size_t>(node.i(origin_attribute())));
      ops.insert(ops.end(), its.begin(), its.end());
    });
  }
  return found;
}

} // namespace model_validator::partition
