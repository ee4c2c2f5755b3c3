#pragma once

#include <model_validator/partition/manifest.h>
#include <model_validator/partition/plan.h>

#include <cstddef>
#include <string>
#include <vector>

namespace model_validator::partition {

/// Number of a value. The inputs of the model come first, in their order, then what units make, in
/// execution order, then constants and weights.
using ValueNumber = std::size_t;
/// Number of an operation of a file, in execution order.
using UnitNumber = std::size_t;

/// Which operations make and read which values.
struct DataFlow {
  std::size_t input_count = 0;                 ///< values that are inputs of the model
  std::vector<UnitNumber> makers;              ///< of each value; `none` for all but made ones
  std::vector<std::vector<ValueNumber>> reads; ///< of each unit
  /// The op that each unit is, or is a part of; `none` for one that reaches no result, or is
  /// carried along wherever it is needed.
  std::vector<OpId> ops;
  std::vector<ValueNumber> results; ///< values that the model returns
};

/// What a subgraph holds, takes and gives.
struct SubgraphContents {
  std::vector<UnitNumber> units; ///< in execution order, queries of its own included
  std::vector<ValueNumber> inputs;
  std::vector<ValueNumber> outputs;
};

/// For each partition of the plan. A query stands in every subgraph that needs its value, and in
/// the one that gives it to the caller. A constant that is a result is given by the last.
std::vector<SubgraphContents> contents_of_subgraphs(const DataFlow& flow, const Plan& plan);

/// A subgraph as the manifest lists it, before it takes and gives anything.
/// @param number  of the partition
Subgraph subgraph_of(const Plan& plan, std::size_t number, const std::string& ending);

} // namespace model_validator::partition
