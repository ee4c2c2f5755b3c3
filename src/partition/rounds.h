#pragma once

#include "partition/subgraph_contents.h"

#include <model_validator/graph_builder.h>

#include <cstddef>
#include <vector>

namespace model_validator::partition {

/// An op that a unit stands for, by a node of the model's code.
struct UnitNode {
  OpId op = none;
  std::size_t node = 0; ///< equal for the copies of one node in one call
};
/// Of each unit.
using UnitNodes = std::vector<std::vector<UnitNode>>;

/// A graph in which every round of a loop has ops of its own, and what its units are there.
struct Rounds {
  GraphBuilder graph;
  std::vector<std::vector<OpId>> ops; ///< of each unit
};

/// Gives each round of the loops that were unrolled ops of its own: where the units hold an op's
/// nodes several times, `conv2d_5` becomes `conv2d_5[0]`, `conv2d_5[1]` and so on. Rounds can then
/// be divided, and stand in different partitions. Ops whose nodes are not all there in each
/// round stay one, and so do their rounds.
Rounds split_rounds(GraphBuilder graph, const UnitNodes& units, const DataFlow& flow);

} // namespace model_validator::partition
