#pragma once

#include "connected_graph/torchscript/code/node_map.h"
#include "partition/rounds.h"
#include "partition/torchscript/names.h"
#include "partition/torchscript/units.h"

#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace model_validator::partition {

/// A node of the model's own code, in one call of it.
struct NodeOrigin {
  std::optional<torchscript::NodeMap::Context> context; ///< nullopt for a call that was not walked
  const Node* node = nullptr;
  std::size_t part = 0; ///< of the several nodes that it has become at once
};

/// Which ops the nodes of a flat graph are. Nodes carry a number as an attribute, which copies of
/// them keep.
class NodeOrigins {
public:
  /// @param map  of the module whose code the node is from
  void note(Node& made, const NodeOrigin& origin, const torchscript::NodeMap& map);
  /// Those of the node of each unit, then of the nodes nested in it.
  UnitNodes find(const Units& units) const;

private:
  using Key = std::tuple<torchscript::NodeMap::Context, const Node*, std::size_t>;

  std::map<Key, std::size_t> numbers_;
  std::vector<std::vector<UnitNode>> ops_;
};

} // namespace model_validator::partition
