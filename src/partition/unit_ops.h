#pragma once

#include "partition/subgraph_contents.h"

#include <model_validator/partition/plan.h>

#include <utility>
#include <vector>

namespace model_validator::partition {

/// What the front end records about the ops that a file's operations become in its graph.
struct UnitRecords {
  std::vector<std::vector<OpId>> ops; ///< per unit, the ops it represents; the first names it
  std::vector<bool> repeatable;       ///< per unit, whether it can be computed more than once
  std::vector<std::vector<UnitNumber>> inseparable;
  std::vector<std::pair<UnitNumber, UnitNumber>> order;
};

/// Records in a flow, whose results, makers and reads are filled in, which op each unit belongs to,
/// and returns the resulting constraints: ops of one unit must not be separated, and a value's
/// maker runs before its readers.
///
/// A unit without an op in the graph (such as one that builds a list) is carried along to its
/// readers, or belongs to a neighbouring op if it is bound to others or not repeatable. One that no
/// result depends on stays without an op.
Constraints match_units(const UnitRecords& records, const ConnectedGraph& graph, DataFlow& flow);

} // namespace model_validator::partition
