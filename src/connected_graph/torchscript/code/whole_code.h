#pragma once

#include "connected_graph/torchscript/code/attribute_values.h"
#include "connected_graph/torchscript/ir/names.h"

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

namespace model_validator::torchscript {

/// The code of a method as it stands, for a converter that builds all of it: every arm, and what
/// only raises, warns or prints.
class WholeCode {
public:
  WholeCode(const Graph& graph, const torch::jit::Module& root);

  /// The nodes of each block up to the one that makes the last of its results.
  const std::vector<const Node*>& nodes() const noexcept { return nodes_; }
  /// What is unusual about the values that a node takes or yields, in the words of `noted_use.h`.
  std::vector<std::string> uses(const Node& node);
  /// Whether the graph returns an attribute of a module as it is.
  bool returns_attribute() const;

private:
  bool is_plain_attribute(const Value& value);
  void add_attributes(const Node& node, std::vector<std::string>& to);

  const Graph& graph_;
  AttributeValues values_;
  std::vector<const Node*> nodes_;
};

} // namespace model_validator::torchscript
