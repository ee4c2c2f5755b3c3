#pragma once

#include <model_validator/partition/manifest.h>
#include <model_validator/partition/plan.h>

#include <cstddef>
#include <string>
#include <vector>

namespace model_validator::partition {

/// Number of a value. The model inputs come first, in order, then values that units make, in
/// execution order, then constants and weights.
using ValueNumber = std::size_t;
/// Number of an operation of a file, in execution order.
using UnitNumber = std::size_t;

/// Which operations make and read which values.
struct DataFlow {
  std::size_t input_count = 0;                 ///< values that are inputs of the model
  std::vector<UnitNumber> makers;              ///< per value; `none` if no unit makes it
  std::vector<std::vector<ValueNumber>> reads; ///< per unit
  /// The op that each unit is, or belongs to; `none` for one that reaches no result, or is carried
  /// along wherever it is needed.
  std::vector<OpId> ops;
  std::vector<ValueNumber> results; ///< values that the model returns
};

/// What a subgraph holds, takes and returns.
struct SubgraphContents {
  std::vector<UnitNumber> units; ///< in execution order, including its own queries
  std::vector<ValueNumber> inputs;
  std::vector<ValueNumber> outputs;
};

/// One entry for each partition of the plan. A query is in every subgraph that needs its value, and
/// in the one that returns it to the caller. The last subgraph returns a constant that is a result.
std::vector<SubgraphContents> contents_of_subgraphs(const DataFlow& flow, const Plan& plan);

/// A subgraph as the manifest lists it, without inputs and outputs yet.
/// @param number  of the partition
Subgraph subgraph_of(const Plan& plan, std::size_t number, const std::string& ending);

} // namespace model_validator::partition
