#include "connected_graph/torchscript/filled_attributes.h"

#include "connected_graph/torchscript/code/callee.h"
#include "connected_graph/torchscript/code/static_types.h"
#include "connected_graph/torchscript/ir/operator_effects.h"

#include <algorithm>

namespace model_validator::torchscript {
namespace {

/// Whether the value holds lists or dicts.
bool holds_elements(const Value& value) {
  const auto inner = value.type()->containedTypes();
  return std::any_of(inner.begin(), inner.end(), holds_collections);
}

/// Where a list or dict comes from, perhaps picked from another; null for other values.
const Node* source_of(const Value& collection) {
  const Value* value = &collection;
  while (holds_collections(value->type())) {
    const Node* made = value->node();
    const bool picks = !made->inputs().empty() && made->kind() != prim::GetAttr &&
                       (holds_elements(*made->input(0)) || made->kind() == prim::unchecked_cast);
    if (!picks) return made;
    value = made->input(0);
  }
  return nullptr;
}

bool reads_attribute(const Node* node) { return node != nullptr && node->kind() == prim::GetAttr; }

} // namespace

std::vector<const Node*> FilledAttributes::filled_by(const Node& node) {
  std::vector<const Node*> filled;
  torch::jit::GraphFunction* callee = callee_of(node);
  for (std::size_t i = 0; i < node.inputs().size(); ++i)
    if (const Node* source = source_of(*node.input(i)); reads_attribute(source))
      if (writes(node, i) || (callee != nullptr && fills_arguments(*callee)))
        filled.push_back(source);
  return filled;
}

bool FilledAttributes::fills_arguments(torch::jit::GraphFunction& function) {
  constexpr std::size_t deepest = 256; // nested calls; anything deeper changes everything
  if (depth_ == deepest) return true;
  const auto [known, fresh] = known_.try_emplace(&function, false);
  if (!fresh) return known->second;
  ++depth_;
  const bool fills = fills_arguments(*function.graph()->block());
  --depth_;
  return known_[&function] = fills;
}

/// Whether it changes what comes from outside, by an argument or around a loop.
bool FilledAttributes::fills_arguments(const Block& block) {
  for (const Node* node : block.nodes()) {
    torch::jit::GraphFunction* callee = callee_of(*node);
    for (std::size_t i = 0; i < node->inputs().size(); ++i) {
      const Node* source = source_of(*node->input(i));
      const bool outside = source != nullptr && source->kind() == prim::Param;
      if (outside && (writes(*node, i) || (callee != nullptr && fills_arguments(*callee))))
        return true;
    }
    for (const Block* inner : node->blocks())
      if (fills_arguments(*inner)) return true;
  }
  return false;
}

} // namespace model_validator::torchscript
