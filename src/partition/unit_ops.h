#pragma once

#include "partition/subgraph_contents.h"

#include <model_validator/partition/plan.h>

#include <utility>
#include <vector>

namespace model_validator::partition {

/// What the operations of a file are in its graph, as the front end records it.
struct UnitRecords {
  std::vector<std::vector<OpId>> ops; ///< of each unit those that it stands for; the first names it
  std::vector<bool> live;             ///< of each unit, whether a result depends on it
  std::vector<bool> repeatable;       ///< of each unit, whether it can be computed more than once
  std::vector<std::vector<UnitNumber>> inseparable;
  std::vector<std::pair<UnitNumber, UnitNumber>> order;
};

/// Enters into a flow which op each unit is a part of, and says what that asks of a division: ops
/// of one unit may not be separated, and what makes a value runs before what reads it.
///
/// A unit that the graph has no op for (the building of a list) is carried along to whatever reads
/// it, or belongs to an op beside it where it is bound to others or is not repeatable.
Constraints match_units(const UnitRecords& records, const ConnectedGraph& graph, DataFlow& flow);

} // namespace model_validator::partition
