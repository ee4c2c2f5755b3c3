#pragma once

#include "connected_graph/torchscript/code/node_map.h"
#include "partition/torchscript/names.h"
#include "partition/torchscript/units.h"

#include <optional>
#include <vector>

namespace model_validator::partition {

/// Which ops the nodes of a flat graph are. Nodes carry a number as an attribute, which copies of
/// them keep.
class NodeOrigins {
public:
  /// @param context  the call of the model's code that the node is from; nullopt for one that was
  /// not walked
  /// @param map  of the module whose code the node is from
  void note(Node& made, std::optional<torchscript::NodeMap::Context> context, const Node& node,
            const torchscript::NodeMap& map);
  /// Those of the node of each unit, then of the nodes nested in it.
  std::vector<std::vector<OpId>> find(const Units& units) const;

private:
  std::vector<std::vector<OpId>> ops_;
};

} // namespace model_validator::partition
