#pragma once

#include "partition/torchscript/units.h"

#include <torch/csrc/jit/ir/ir.h>

#include <cstddef>
#include <unordered_map>

namespace model_validator::partition {

/// The current names of values: readers after a write read its result. A walk along the graph
/// renames each reader once, as it reaches it.
class CurrentNames {
public:
  void replace(torch::jit::Value* old, torch::jit::Value* now) { now_[old] = now; }
  /// Renames what a node and the nodes nested in it read.
  void update(torch::jit::Node& node);

private:
  torch::jit::Value* of(torch::jit::Value* value);

  std::unordered_map<torch::jit::Value*, torch::jit::Value*> now_;
};

/// The last unit that reads each value; the number of units for what is returned.
class LastReaders {
public:
  LastReaders(const Units& units, torch::jit::Graph& graph);

  /// 0 if nothing reads it.
  std::size_t of(const torch::jit::Value* value) const;
  /// From now on, readers after the unit read `to`.
  void hand_over(const torch::jit::Value* from, const torch::jit::Value* to, std::size_t unit);

private:
  std::unordered_map<const torch::jit::Value*, std::size_t> last_;
};

} // namespace model_validator::partition
