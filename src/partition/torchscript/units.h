#pragma once

#include "partition/torchscript/names.h"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace model_validator::partition {

/// A node of a flat graph with everything that it and its blocks read: the unit that stays in one
/// subgraph.
struct Unit {
  Node* node = nullptr;
  std::vector<Value*> reads; ///< each once
};

/// The nodes of a flat graph's own block except constants and weights, in execution order.
class Units {
public:
  explicit Units(Graph& graph);

  const std::vector<Unit>& all() const noexcept { return units_; }
  const Unit& operator[](std::size_t i) const { return units_[i]; }
  std::size_t size() const noexcept { return units_.size(); }
  /// The unit that makes a value; `none` for inputs, constants and weights.
  std::size_t maker(const Value* value) const;
  /// The units that read a value, in order; up to date even if reads have changed.
  std::vector<std::size_t> readers(const Value* value) const;
  /// Updates what units read after values have been replaced.
  void refresh();

private:
  std::size_t unit_around(const Node* node) const;

  std::vector<Unit> units_;
  std::unordered_map<const Node*, std::size_t> numbers_;
  Graph& graph_;
};

} // namespace model_validator::partition
