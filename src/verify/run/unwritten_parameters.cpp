#include "verify/run/unwritten_parameters.h"

#include <torch/csrc/jit/ir/alias_analysis.h>
#include <torch/csrc/jit/passes/inliner.h>

#include <string>
#include <unordered_set>

namespace model_validator::verify {
namespace {

using torch::jit::Node;

/// Adds the last names of the attributes that something in the code writes into.
void add_written(const torch::jit::Block& block, const torch::jit::AliasDb& aliases,
                 std::unordered_set<std::string>& names) {
  for (const Node* node : block.nodes()) {
    if (node->kind() == torch::jit::prim::GetAttr && aliases.hasWriters(node->output()))
      names.insert(node->s(c10::attr::name));
    for (const torch::jit::Block* inner : node->blocks()) add_written(*inner, aliases, names);
  }
}

std::unordered_set<std::string> names_written(const torch::jit::Module& module) {
  std::unordered_set<std::string> names;
  const auto method = module.find_method("forward");
  if (!method) return names;
  const auto graph = method->graph()->copy();
  torch::jit::Inline(*graph);
  const torch::jit::AliasDb aliases(graph, true); // each attribute is memory of its own
  add_written(*graph->block(), aliases, names);
  return names;
}

} // namespace

std::vector<at::Tensor> unwritten_parameters(const torch::jit::Module& module) {
  const auto names = names_written(module);
  const auto parameters = module.named_parameters();
  std::unordered_set<const c10::TensorImpl*> written; // one tensor may have several names
  for (const auto& [name, tensor] : parameters)
    if (names.contains(name.substr(name.rfind('.') + 1)))
      written.insert(tensor.unsafeGetTensorImpl());
  std::vector<at::Tensor> unwritten;
  for (const auto& [name, tensor] : parameters)
    if (!written.contains(tensor.unsafeGetTensorImpl())) unwritten.push_back(tensor);
  return unwritten;
}

} // namespace model_validator::verify
