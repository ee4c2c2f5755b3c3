#pragma once

#include "partition/torchscript/names.h"
#include "partition/torchscript/units.h"

#include <cstddef>
#include <unordered_map>

namespace model_validator::partition {

/// The current names of values: readers after a write read its result. A walk along the graph
/// renames each reader once, as it reaches it.
class CurrentNames {
public:
  void replace(Value* old, Value* now) { now_[old] = now; }
  /// Renames what a node and the nodes nested in it read.
  void update(Node& node);

private:
  Value* of(Value* value);

  std::unordered_map<Value*, Value*> now_;
};

/// The last unit that reads each value; the number of units for what is returned.
class LastReaders {
public:
  LastReaders(const Units& units, Graph& graph);

  /// 0 if nothing reads it.
  std::size_t of(const Value* value) const;
  /// From now on, readers after the unit read `to`.
  void hand_over(const Value* from, const Value* to, std::size_t unit);

private:
  std::unordered_map<const Value*, std::size_t> last_;
};

} // namespace model_validator::partition
