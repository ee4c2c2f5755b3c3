#pragma once

#include "partition/torchscript/shared_memory.h"
#include "partition/torchscript/units.h"

#include <torch/csrc/jit/ir/alias_analysis.h>

#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace model_validator::partition {

/// In-place writes in a flat graph, and the units that they keep together.
///
/// A write is *plain* if every later reader reads its result, or the value written, by name. Later
/// readers are then made to read the result, and a copy can replace what is written. Any other
/// write keeps together the units that touch the memory up to the last write to it: their views of
/// it see each other's changes.
class Memory {
public:
  /// Changes the graph: redirects readers of plainly written values to the results of the writes.
  Memory(const FlatModule& flat, Units& units);

  /// Units that must not be separated.
  const std::vector<std::vector<std::size_t>>& inseparable() const noexcept { return inseparable_; }
  /// Inputs of the graph that are written other than plainly. Copies of them should be written
  /// instead.
  std::vector<Value*> written_inputs() const;
  /// What a unit writes plainly; null if nothing.
  Value* plainly_written(std::size_t unit) const;
  /// Whether a value made before the unit is, or shares memory with, what the unit writes plainly.
  bool shares_before(std::size_t unit, Value* value) const;

private:
  using Class = SharedMemory::Class;

  void find_members();
  void write_plainly_where_possible();
  void keep_together();
  std::set<Class> classes_written_by(const Unit& unit);
  Value* plain_target(const Unit& unit) const;

  std::shared_ptr<Graph> graph_;
  Units& units_;
  SharedMemory shared_;
  torch::jit::AliasDb aliases_;
  std::vector<std::vector<Value*>> members_;                    ///< per class
  std::unordered_map<Class, std::vector<std::size_t>> writers_; ///< per class, in order
  std::unordered_set<Class> tangled_;                           ///< classes with other writes
  std::unordered_map<std::size_t, Value*> plain_;
  std::vector<std::vector<std::size_t>> inseparable_;
};

} // namespace model_validator::partition
