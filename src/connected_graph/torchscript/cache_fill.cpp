#include "connected_graph/torchscript/cache_fill.h"

#include "connected_graph/torchscript/ir/operator_effects.h"

#include <unordered_set>
#include <vector>

namespace model_validator::torchscript {
namespace {

bool is_self(const Value& value) {
  return value.node()->kind() == prim::Param && &value == value.owningGraph()->inputs()[0];
}

bool is_own_attribute(const Value& value) {
  return value.node()->kind() == prim::GetAttr && is_self(*value.node()->input());
}

/// An attribute of the module, or of one beneath it.
bool is_attribute(const Value& value) {
  const Value* owner = &value;
  while (owner->node()->kind() == prim::GetAttr) owner = owner->node()->input();
  return owner != &value && is_self(*owner);
}

bool is_same(const Value& a, const Value& b) {
  const auto name = attr::name;
  return is_own_attribute(a) && is_own_attribute(b) && a.node()->s(name) == b.node()->s(name);
}

/// Whether the node runs only where the module's own dict has no entry of the key.
bool runs_where_absent(const Node& node, const Value& dict, const Value& key) {
  const Node* branch = node.owningBlock()->owningNode();
  if (branch == nullptr || branch->kind() != prim::If) return false;
  bool absent = node.owningBlock() == branch->blocks()[1];
  const Node* test = branch->input()->node();
  for (; test->kind() == aten::__not__; test = test->input()->node()) absent = !absent;
  return absent && test->kind() == aten::__contains__ && test->input(1) == &key &&
         is_same(*test->input(0), dict);
}

/// Whether a value is computed from attributes, constants and one other value alone.
bool follows_from(const Value& value, const Value& other) {
  std::unordered_set<const Value*> seen;
  std::vector<const Value*> pending{&value};
  while (!pending.empty()) {
    const Value& next = *pending.back();
    pending.pop_back();
    const Node& node = *next.node();
    const bool given = &next == &other || is_attribute(next) || node.kind() == prim::Constant;
    if (given || !seen.insert(&next).second) continue;
    if (!node.blocks().empty() || !is_deterministic(node) || writes(node)) return false;
    pending.insert(pending.end(), node.inputs().begin(), node.inputs().end());
  }
  return true;
}

} // namespace

bool fills_cache(const Node& node) {
  if (node.kind() != aten::_set_item || node.input(0)->type()->kind() != c10::TypeKind::DictType)
    return false;
  const Value& key = *node.input(1);
  const Value& entry = *node.input(2);
  const c10::TypeKind kind = key.type()->kind();
  return (kind == c10::TypeKind::StringType || kind == c10::TypeKind::IntType) &&
         entry.type()->kind() == c10::TypeKind::TensorType &&
         runs_where_absent(node, *node.input(0), key) && follows_from(entry, key);
}

} // namespace model_validator::torchscript
