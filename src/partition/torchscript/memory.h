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

/// What is written in place in a flat graph, and which units that keeps together.
///
/// A write is *plain* when everyone after it reads its result, or what it wrote under its own name:
/// then later readers are made to read the result, and a copy of what is written can take its
/// place. Any other write keeps together the units that touch the memory up to the last write to
/// it: their views of it see what the others do.
class Memory {
public:
  /// Makes readers of what plain writes changed read their results: changes the graph.
  Memory(const FlatModule& flat, Units& units);

  /// Units that may not be separated.
  const std::vector<std::vector<std::size_t>>& inseparable() const noexcept { return inseparable_; }
  /// Inputs of the graph that are written other than plainly. A copy of them should be.
  std::vector<torch::jit::Value*> written_inputs() const;
  /// What a unit writes plainly; null where it does not.
  torch::jit::Value* plainly_written(std::size_t unit) const;
  /// Whether a value made before the unit shares memory with what the unit writes plainly, or is
  /// that.
  bool shares_before(std::size_t unit, torch::jit::Value* value) const;

private:
  using Class = SharedMemory::Class;

  void find_members();
  void write_plainly_where_possible();
  void keep_together();
  std::set<Class> classes_written_by(const Unit& unit) const;
  torch::jit::Value* plain_target(const Unit& unit) const;

  std::shared_ptr<torch::jit::Graph> graph_;
  Units& units_;
  SharedMemory shared_;
  torch::jit::AliasDb aliases_;
  std::vector<std::vector<torch::jit::Value*>> members_;        ///< of each class
  std::unordered_map<Class, std::vector<std::size_t>> writers_; ///< of each class, in order
  std::unordered_set<Class> tangled_;                           ///< classes of writes not plain
  std::unordered_map<std::size_t, torch::jit::Value*> plain_;
  std::vector<std::vector<std::size_t>> inseparable_;
};

} // namespace model_validator::partition
