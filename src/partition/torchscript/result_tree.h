#pragma once

#include "partition/torchscript/names.h"

#include <string>
#include <vector>

namespace model_validator::partition {

/// What a flat graph returns, taken apart down to the values that operators make.
struct Returned {
  enum class Kind : std::uint8_t { value, none, tuple, list, dict };
  Kind kind = Kind::value;
  Value* value = nullptr;
  std::vector<std::string> keys; ///< of a dict, or the fields of a named tuple
  std::vector<Returned> items;
};

/// Takes the graph's result apart: nodes that only build tuples, lists and dicts for the caller
/// belong to no subgraph.
Returned take_apart(Graph& graph);

/// The values at the leaves, in order.
std::vector<Value*> leaves(const Returned& returned);

} // namespace model_validator::partition
