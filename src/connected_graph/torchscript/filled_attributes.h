#pragma once

#include "connected_graph/torchscript/ir/names.h"

#include <torch/csrc/jit/api/function_impl.h>

#include <unordered_map>
#include <vector>

namespace model_validator::torchscript {

/// Finds the attributes whose lists and dicts code changes in place, itself or in what it calls.
class FilledAttributes {
public:
  /// The nodes that read an attribute which this node may change, or a list or dict in it.
  std::vector<const Node*> filled_by(const Node& node);

private:
  bool fills_arguments(torch::jit::GraphFunction& function);
  bool fills_arguments(const Block& block);

  std::unordered_map<const torch::jit::GraphFunction*, bool> known_;
  std::size_t depth_ = 0;
};

} // namespace model_validator::torchscript
