#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <unordered_map>
#include <vector>

namespace model_validator::verify {

/// The values of a graph that nothing needs any more once a node has run.
class DeadValues {
public:
  /// Looks at a graph, once; later calls for the same graph cost nothing.
  void analyse(torch::jit::Graph& graph);
  const std::vector<const torch::jit::Value*>& after(const torch::jit::Node* node) const;

private:
  void analyse(torch::jit::Block& block);
  void note_last_use(torch::jit::Value& value, const torch::jit::Block& block);

  std::unordered_map<const torch::jit::Graph*, bool> analysed_;
  std::unordered_map<const torch::jit::Node*, std::vector<const torch::jit::Value*>> dead_;
};

} // namespace model_validator::verify
