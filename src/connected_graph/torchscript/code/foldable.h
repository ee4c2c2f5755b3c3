#pragma once

#include "connected_graph/torchscript/code/attribute_values.h"
#include "connected_graph/torchscript/ir/names.h"

#include <unordered_map>

namespace model_validator::torchscript {

/// Finds the nodes of a frozen graph that torch computes while freezing: those of only constants
/// and attributes, whose result nothing changes afterwards.
class Foldable {
public:
  explicit Foldable(AttributeValues& attributes) : attributes_(attributes) {}
  bool node(const Node& node);
  bool value(const Value& value);

private:
  bool unchanged(const Value& value);
  bool appended(const Value& value);
  bool counter(const Value& value);

  AttributeValues& attributes_;
  int comprehensions_ = 0; ///< how many appended values are being examined
  std::unordered_map<const Node*, bool> known_;
};

} // namespace model_validator::torchscript
