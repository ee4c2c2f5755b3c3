#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace model_validator::partition {

/// A node of a flat graph with everything that it and its blocks read: the unit that stays in one
/// subgraph.
struct Unit {
  torch::jit::Node* node = nullptr;
  std::vector<torch::jit::Value*> reads; ///< each once
};

/// The nodes of a flat graph's own block except constants and weights, in execution order.
class Units {
public:
  explicit Units(torch::jit::Graph& graph);

  const std::vector<Unit>& all() const noexcept { return units_; }
  const Unit& operator[](std::size_t i) const { return units_[i]; }
  std::size_t size() const noexcept { return units_.size(); }
  /// The unit that makes a value; `none` for inputs, constants and weights.
  std::size_t maker(const torch::jit::Value* value) const;
  /// The units that read a value, in order; up to date even if reads have changed.
  std::vector<std::size_t> readers(const torch::jit::Value* value) const;
  /// Updates what units read after values have been replaced.
  void refresh();

private:
  std::size_t unit_around(const torch::jit::Node* node) const;

  std::vector<Unit> units_;
  std::unordered_map<const torch::jit::Node*, std::size_t> numbers_;
  torch::jit::Graph& graph_;
};

} // namespace model_validator::partition
