#include "connected_graph/torchscript/code/use_marks.h"

#include "connected_graph/noted_use.h"
#include "connected_graph/torchscript/ir/nested_nodes.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace model_validator::torchscript {
namespace {

c10::Symbol mark() { return c10::Symbol::attr("use"); }

bool is_tensor_list(const Value& value) {
  c10::TypePtr type = value.type();
  if (const auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
  const auto list = type->cast<c10::ListType>();
  return list && list->getElementType()->kind() == c10::TypeKind::TensorType;
}

bool joins(const Node& node) {
  return node.kind() == aten::cat || node.kind() == aten::stack || node.kind() == aten::concat;
}

/// Operators that yield a list of tensors.
bool splits(const Node& node) {
  static const std::set<std::string_view> kinds = {
      "aten::split",  "aten::chunk",        "aten::split_with_sizes", "aten::tensor_split",
      "aten::unbind", "aten::unsafe_split", "aten::unsafe_chunk"};
  return kinds.contains(node.kind().toQualString());
}

bool changes_list(const Node& node) {
  static const std::set<std::string_view> kinds = {"aten::append", "aten::extend", "aten::insert",
                                                   "aten::pop", "aten::_set_item"};
  return kinds.contains(node.kind().toQualString());
}

bool compares(const Node& node) {
  return node.kind() == aten::eq || node.kind() == aten::ne || node.kind() == aten::lt ||
         node.kind() == aten::le || node.kind() == aten::gt || node.kind() == aten::ge ||
         node.kind() == aten::logical_not || node.kind() == aten::logical_and;
}

void note(Node& node, NotedUse use) { node.s_(mark(), std::string(word_of(use))); }

/// `others + list`
bool adds_to(const torch::jit::Use& use) {
  return use.user->kind() == aten::add && use.offset == 1;
}

/// Marks nodes that join the tensors of a list, also after casts.
void note_readers(const Value& list, NotedUse noted) {
  for (const torch::jit::Use& use : list.uses()) {
    if (use.user->kind() == prim::unchecked_cast)
      note_readers(*use.user->output(), noted);
    else if (joins(*use.user) || adds_to(use))
      note(*use.user, noted);
  }
}

/// The innermost `if` or loop around a node that is not around a value; null where there is none.
const Node* between(const Value& value, const Node& node) {
  const Block* home = value.node()->owningBlock();
  const Node* found = nullptr;
  for (const Block* block = node.owningBlock(); block != home; block = found->owningBlock()) {
    const Node* owner = block->owningNode();
    if (owner == nullptr) return nullptr;
    found = owner;
  }
  return found;
}

/// Whether it is unpacked, or read at constant indices, where it was made.
bool read_at_known_places(const Node& node) {
  const Value& list = *node.output();
  return std::all_of(list.uses().begin(), list.uses().end(), [&list](const torch::jit::Use& use) {
    const bool picks = use.user->kind() == aten::__getitem__ &&
                       use.user->input(1)->node()->kind() == prim::Constant;
    return (picks || use.user->kind() == prim::ListUnpack) && between(list, *use.user) == nullptr;
  });
}

bool picked_from(const Node& node) {
  const auto& uses = node.output()->uses();
  return std::any_of(uses.begin(), uses.end(), [](const torch::jit::Use& use) {
    return use.user->kind() == aten::__getitem__;
  });
}

void mark_splitting(Node& node) {
  if (node.outputs().size() != 1 || !is_tensor_list(*node.output())) return;
  if (!read_at_known_places(node))
    note(node, NotedUse::iterated);
  else if (picked_from(node))
    note(node, NotedUse::picked);
}

void mark_index(Node& node) {
  const Node& indices = *node.input(1)->node();
  if (indices.kind() != prim::ListConstruct) return;
  bool none = false;
  for (const Value* index : indices.inputs()) {
    if (none && compares(*index->node())) note(node, NotedUse::mask_after_none);
    none = none || index->mustBeNone();
  }
}

/// Whether something reads a list before it has all its elements.
bool grows_after_use(const Value& list) {
  const Node* read = nullptr;
  const Node* changed = nullptr;
  for (const torch::jit::Use& use : list.uses()) {
    if (use.user->owningBlock() != list.node()->owningBlock()) continue;
    const Node*& which = changes_list(*use.user) ? changed : read;
    const bool later = which != nullptr && which->isBefore(use.user);
    if (which == nullptr || (changes_list(*use.user) ? later : !later)) which = use.user;
  }
  return read != nullptr && changed != nullptr && read->isBefore(changed);
}

void mark_addition(Node& node) {
  if (node.inputs().size() != 2) return;
  const Value& other = *node.input(1);
  if (!is_tensor_list(other)) return;
  if (splits(*other.node()) || grows_after_use(other)) note(node, NotedUse::dynamic);
}

void mark_compared(Node& node) {
  const auto& uses = node.output()->uses();
  if (std::any_of(uses.begin(), uses.end(),
                  [](const torch::jit::Use& use) { return compares(*use.user); }))
    note(node, NotedUse::compared);
}

/// Marks a change in another branch than the list.
void mark_change(const Node& node) {
  if (!is_tensor_list(*node.input(0))) return;
  const Node* outer = between(*node.input(0), node);
  if (outer != nullptr && outer->kind() == prim::If)
    note_readers(*node.input(0), NotedUse::of_an_if);
}

void mark_chosen(const Node& node) {
  for (const Value* output : node.outputs())
    if (is_tensor_list(*output)) note_readers(*output, NotedUse::of_an_if);
}

void mark_joining(Node& node) {
  const Value& list = *node.input(0);
  if (list.node()->kind() == prim::ListConstruct && between(list, node) != nullptr)
    note(node, NotedUse::from_outside);
}

void mark_slice(const Node& node) {
  if (!is_tensor_list(*node.input(0))) return;
  for (const torch::jit::Use& use : node.output()->uses())
    if (joins(*use.user)) note(*use.user, NotedUse::slice);
}

void mark_node(Node& node) {
  if (changes_list(node)) mark_change(node);
  if (joins(node)) mark_joining(node);
  if (splits(node)) mark_splitting(node);
  switch (node.kind()) {
  case prim::If: return mark_chosen(node);
  case aten::slice: return mark_slice(node);
  case aten::add: return mark_addition(node);
  case aten::index: return mark_index(node);
  case prim::dtype:
  case prim::layout: return mark_compared(node);
  default: break;
  }
}

} // namespace

void mark_uses(Graph& graph) { for_each_node(*graph.block(), mark_node); }

void mark_constant_lists(Graph& graph, const std::function<bool(const Value&)>& is_constant) {
  for_each_node(*graph.block(), [&is_constant](Node& node) {
    if (node.kind() == aten::__getitem__ && is_constant(*node.input(0)))
      node.s_(mark(), std::string(constant_use) + node.input(0)->type()->str());
  });
}

std::string use_mark(const Node& node) {
  return node.hasAttribute(mark()) ? node.s(mark()) : std::string();
}

} // namespace model_validator::torchscript
