#pragma once

#include "connected_graph/torchscript/code/node_map.h"
#include "partition/torchscript/names.h"

#include <cstdint>
#include <vector>

// Which ops the nodes of a flat graph are: they say so themselves, and so do copies of them.

namespace model_validator::partition {

inline void set_ops(Node& node, const std::vector<torchscript::NodeRecord>& records) {
  std::vector<std::int64_t> ops;
  for (const auto& record : records)
    if (record.op != none) ops.push_back(static_cast<std::int64_t>(record.op));
  if (!ops.empty()) node.is_(c10::Symbol::attr("ops"), std::move(ops));
}

inline std::vector<OpId> ops_of(const Node& node) {
  const auto ops = c10::Symbol::attr("ops");
  if (!node.hasAttribute(ops)) return {};
  return {node.is(ops).begin(), node.is(ops).end()};
}

} // namespace model_validator::partition
