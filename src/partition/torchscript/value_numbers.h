#pragma once

#include "partition/subgraph_contents.h"
#include "partition/torchscript/flat_module.h"
#include "partition/torchscript/result_tree.h"
#include "partition/torchscript/units.h"

#include <unordered_map>
#include <vector>

namespace model_validator::partition {

/// The values of a flat module by number. The op of each unit is filled in later.
struct ValueNumbers {
  std::vector<Value*> values;
  std::unordered_map<const Value*, ValueNumber> numbers;
  DataFlow flow;
};

ValueNumbers number_values(const FlatModule& flat, const Units& units, const Returned& result);

} // namespace model_validator::partition
