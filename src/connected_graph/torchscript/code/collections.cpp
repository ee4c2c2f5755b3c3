#include "connected_graph/torchscript/code/collections.h"

#include "connected_graph/torchscript/ir/collection_facts.h"
#include "connected_graph/torchscript/ir/operator_effects.h"

#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>

namespace model_validator::torchscript {
namespace {

/// The value of a key; keys and values alternate.
Value* value_of_key(Node& dict, const c10::IValue& key) {
  Value* found = nullptr;
  for (std::size_t i = 0; i + 1 < dict.inputs().size(); i += 2) {
    const auto each = torch::jit::toIValue(dict.inputs()[i]);
    if (!each) return nullptr;
    if (equal_keys(*each, key)) found = dict.inputs()[i + 1];
  }
  return found;
}

} // namespace

bool only_reads(const torch::jit::Use& use) {
  const Node& user = *use.user;
  if (user.kind() == aten::__getitem__ || user.kind() == prim::ListUnpack) return true;
  return user.maybeSchema() != nullptr && use_of(user, use.offset) == Use::reads;
}

bool only_read(const Value& collection) {
  const auto& uses = collection.uses();
  return std::all_of(uses.begin(), uses.end(), only_reads);
}

Value* picked_element(Node& node) {
  if (node.kind() != aten::__getitem__ && node.kind() != prim::TupleIndex) return nullptr;
  Node& made = *node.inputs()[0]->node();
  const auto key = torch::jit::toIValue(node.inputs()[1]);
  if (!key) return nullptr;
  const bool tuple = made.kind() == prim::TupleConstruct;
  if (!tuple && !only_read(*node.inputs()[0])) return nullptr;
  if (made.kind() == prim::DictConstruct) return value_of_key(made, *key);
  if (!(tuple || made.kind() == prim::ListConstruct) || !key->isInt()) return nullptr;
  const auto at = position_in(made.inputs().size(), key->toInt());
  return at ? made.inputs()[*at] : nullptr;
}

std::optional<std::int64_t> known_length(const Node& node) {
  if (node.kind() != aten::len) return std::nullopt;
  const Node& made = *node.input()->node();
  if (made.kind() != prim::ListConstruct || !only_read(*node.input())) return std::nullopt;
  return static_cast<std::int64_t>(made.inputs().size());
}

} // namespace model_validator::torchscript
