#pragma once

#include "partition/subgraph_contents.h"

#include <model_validator/graph_builder.h>

#include <cstddef>
#include <vector>

namespace model_validator::partition {

/// An op that a unit represents, by a node of the model's code.
struct UnitNode {
  OpId op = none;
  std::size_t node = 0; ///< equal for copies of one node in one call
};
/// One entry per unit.
using UnitNodes = std::vector<std::vector<UnitNode>>;

/// A graph in which every round of a loop has its own ops, and the ops of each unit in it.
struct Rounds {
  GraphBuilder graph;
  std::vector<std::vector<OpId>> ops; ///< per unit
};

/// Gives each round of an unrolled loop its own ops: if units hold an op's nodes several times,
/// `conv2d_5` becomes `conv2d_5[0]`, `conv2d_5[1]` and so on. Rounds can then be in different
/// partitions. An op stays one op for all rounds if some round lacks one of its nodes.
Rounds split_rounds(GraphBuilder graph, const UnitNodes& units, const DataFlow& flow);

} // namespace model_validator::partition
