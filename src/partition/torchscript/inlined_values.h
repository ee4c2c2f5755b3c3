#pragma once

#include "connected_graph/torchscript/node_map.h"

#include <torch/csrc/jit/ir/ir.h>

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

namespace model_validator::partition {

/// A call while its body is copied into another graph.
struct Frame {
  /// Nullopt for a call that the walk did not see: nothing is known there.
  std::optional<torchscript::NodeMap::Context> context = torchscript::NodeMap::root;
  std::size_t depth = 0;
  /// What stands in the new graph for each value of the callee's.
  std::unordered_map<const torch::jit::Value*, torch::jit::Value*> values;
};

/// Numbers and words, which nothing can change in place.
bool is_plain(const c10::IValue& value);

/// The values of a graph that calls are copied into: constants where the walk knows them.
class InlinedValues {
public:
  InlinedValues(torch::jit::Graph& graph, const torchscript::NodeMap& map)
      : graph_(graph), map_(map) {}

  /// The value in the new graph. @param to  where it is read
  torch::jit::Value* of(const torch::jit::Value& value, torch::jit::Block& to, Frame& frame);
  /// Whether values that are known take the place of the node, so that it need not be copied.
  bool fold(const torch::jit::Node& node, torch::jit::Block& to, Frame& frame);
  /// Replaces the copy of a node with a constant, if its result follows from constants.
  bool evaluate(const torch::jit::Node& node, torch::jit::Node& copy, torch::jit::Block& to,
                Frame& frame);

private:
  const c10::IValue* known(const torch::jit::Value& value, const Frame& frame) const;
  bool fold_known(const torch::jit::Node& node, torch::jit::Block& to, Frame& frame);
  bool fold_query(const torch::jit::Node& node, torch::jit::Block& to, Frame& frame);
  std::vector<torch::jit::Value*> answers(const torch::jit::Node& query,
                                          const std::vector<std::int64_t>& sizes,
                                          torch::jit::Block& to, Frame& frame);
  torch::jit::Value* list_of(const std::vector<std::int64_t>& numbers);

  torch::jit::Graph& graph_;
  const torchscript::NodeMap& map_;
};

} // namespace model_validator::partition
