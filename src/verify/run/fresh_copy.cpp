#include "verify/run/fresh_copy.h"

#include "verify/run/run_state.h"

#include <c10/core/GradMode.h>
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

torch::jit::Module fresh_copy(const torch::jit::Module& module) {
  const c10::NoGradGuard no_gradients; // gradients must not flow through a copy
  c10::IValue::HashIdentityIValueMap copied;
  for (const auto& parameter : unwritten_parameters(module)) copied.emplace(parameter, parameter);
  return torch::jit::Module(module._ivalue()->deepcopy(copied));
}

TensorMap fresh_tensors(const torch::jit::Module& module) {
  std::unordered_set<const c10::TensorImpl*> shared;
  for (const auto& parameter : unwritten_parameters(module))
    shared.insert(parameter.unsafeGetTensorImpl());
  return [shared = std::move(shared), copies = TensorCopies()](const at::Tensor& tensor) mutable {
    return shared.contains(tensor.unsafeGetTensorImpl()) ? tensor : copies(tensor);
  };
}

} // namespace model_validator::verify
