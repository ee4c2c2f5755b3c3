#pragma once

#include "connected_graph/torchscript/attribute_values.h"

#include <torch/csrc/jit/ir/ir.h>

#include <unordered_map>

namespace model_validator::torchscript {

/// Finds the nodes of a frozen graph that torch computes while freezing: those of only constants
/// and attributes, whose result nothing changes afterwards.
class Foldable {
public:
  explicit Foldable(AttributeValues& attributes) : attributes_(attributes) {}
  bool node(const torch::jit::Node& node);
  bool value(const torch::jit::Value& value);

private:
  bool unchanged(const torch::jit::Value& value);
  bool appended(const torch::jit::Value& value);
  bool counter(const torch::jit::Value& value);

  AttributeValues& attributes_;
  int comprehensions_ = 0; ///< how many appended values are being examined
  std::unordered_map<const torch::jit::Node*, bool> known_;
};

} // namespace model_validator::torchscript
