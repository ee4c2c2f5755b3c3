#pragma once

#include "connected_graph/torchscript/ir/names.h"

#include <torch/csrc/jit/api/module.h>

#include <optional>
#include <set>
#include <string>
#include <unordered_map>

namespace model_validator::torchscript {

/// The attributes of a module and its children that nothing in a method's graph writes.
class AttributeValues {
public:
  AttributeValues(const Graph& graph, const torch::jit::Module& self);

  /// The value that the graph reads from the module; nothing if it is not such a value.
  std::optional<c10::IValue> of(const Value& value);

private:
  std::optional<c10::IValue> read(const Node& node);

  const Value* self_;
  c10::IValue module_;
  std::set<std::string> written_;
  std::unordered_map<const Value*, std::optional<c10::IValue>> known_;
};

} // namespace model_validator::torchscript
