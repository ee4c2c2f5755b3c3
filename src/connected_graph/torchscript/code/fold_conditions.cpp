#include "connected_graph/torchscript/code/fold_conditions.h"

#include "connected_graph/torchscript/code/attribute_values.h"
#include "connected_graph/torchscript/code/collections.h"
#include "connected_graph/torchscript/code/constant_evaluation.h"

#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>

namespace model_validator::torchscript {
namespace {

/// The most passes over a graph: what one pass decides may decide something earlier.
constexpr int max_passes = 4;

/// What the folding knows.
struct Knowledge {
  AttributeValues* attributes = nullptr; ///< those of the module
  bool scalars_only = false;             ///< among attributes, neither strings nor `None`
  bool asks_for_none = true;             ///< evaluates `is None`, and drops the casts after it
};

bool is_scalar(const c10::IValue& value) {
  return value.isInt() || value.isDouble() || value.isBool();
}

bool asks_for_none(const Node& node) {
  return node.kind() == aten::__is__ || node.kind() == aten::__isnot__;
}

std::optional<bool> known_bool(const Value& value) {
  const auto constant = torch::jit::toIValue(&value);
  return constant && constant->isBool() ? std::optional(constant->toBool()) : std::nullopt;
}

Abstract abstract(const Value& value) {
  if (value.mustBeNone()) return make_known(c10::IValue());
  if (auto constant = torch::jit::toIValue(&value)) return make_known(*std::move(constant));
  auto unknown = std::make_shared<AbstractValue>();
  unknown->never_none = value.mustNotBeNone();
  return unknown;
}

/// `isinstance` of a value whose declared type leaves no doubt.
std::optional<c10::IValue> is_instance(const Node& node) {
  if (node.kind() != prim::isinstance) return std::nullopt;
  const c10::TypePtr& type = node.input()->type();
  switch (type->kind()) {
  case c10::TypeKind::UnionType:
  case c10::TypeKind::OptionalType:
  case c10::TypeKind::AnyType:
  case c10::TypeKind::InterfaceType: return std::nullopt;
  default: break;
  }
  const auto& types = node.tys(attr::types);
  return c10::IValue(std::any_of(types.begin(), types.end(), [&](const c10::TypePtr& each) {
    return type->isSubtypeOf(*each);
  }));
}

class ConditionFolder {
public:
  explicit ConditionFolder(Knowledge knowledge) : knowledge_(knowledge) {}

  /// Whether anything was folded.
  bool fold(Block& block) {
    changed_ = false;
    visit(block);
    return changed_;
  }

private:
  void visit(Block& block) {
    for (auto it = block.nodes().begin(); it != block.nodes().end();) {
      Node& node = **it++;
      for (Block* inner : node.blocks()) visit(*inner);
      if (node.kind() == prim::If)
        visit_if(node);
      else if (node.kind() == prim::unchecked_cast)
        drop_cast(node);
      else if (node.kind() == prim::TupleUnpack || node.kind() == prim::ListUnpack)
        drop_unpacking(node);
      else if (Value* element = picked_element(node))
        replace(*node.output(), *element);
      else if (const auto value = value_of(node))
        replace_by_constant(node, *value);
    }
  }

  std::optional<c10::IValue> value_of(const Node& node) const {
    if (node.outputs().size() != 1 || node.kind() == prim::Constant || !node.hasUses())
      return std::nullopt;
    if (const auto value = attribute(*node.output())) return value;
    if (asks_for_none(node) && !knowledge_.asks_for_none) return std::nullopt;
    if (const auto length = known_length(node)) return c10::IValue(*length);
    return value_of_constants(node);
  }

  std::optional<c10::IValue> attribute(const Value& value) const {
    if (knowledge_.attributes == nullptr) return std::nullopt;
    auto found = knowledge_.attributes->of(value);
    if (found &&
        (is_scalar(*found) || (!knowledge_.scalars_only && (found->isString() || found->isNone()))))
      return found;
    return std::nullopt;
  }

  void replace(Value& value, Value& by) {
    if (!value.hasUses()) return;
    value.replaceAllUsesWith(&by);
    changed_ = true;
  }

  void replace_by_constant(Node& node, const c10::IValue& value) {
    const torch::jit::WithInsertPoint here(&node);
    replace(*node.output(), *node.owningGraph()->insertConstant(value));
  }

  void visit_if(Node& node) {
    if (const auto condition = known_bool(*node.input()))
      take_arm(node, *condition);
    else
      replace_alike_outputs(node);
  }

  /// Replaces booleans that both branches yield alike, for example from `a and b` with a known `b`.
  void replace_alike_outputs(Node& node) {
    for (std::size_t i = 0; i < node.outputs().size(); ++i) {
      const auto first = known_bool(*node.blocks()[0]->outputs()[i]);
      const auto second = known_bool(*node.blocks()[1]->outputs()[i]);
      if (!first || first != second) continue;
      const torch::jit::WithInsertPoint here(&node);
      replace(*node.outputs()[i], *node.owningGraph()->insertConstant(*first));
    }
  }

  void take_arm(Node& node, bool condition) {
    Block& arm = *node.blocks()[condition ? 0 : 1];
    for (auto it = arm.nodes().begin(); it != arm.nodes().end();) (*it++)->moveBefore(&node);
    for (std::size_t i = 0; i < node.outputs().size(); ++i)
      node.outputs()[i]->replaceAllUsesWith(arm.outputs()[i]);
    node.destroy();
    changed_ = true;
  }

  void drop_cast(Node& node) {
    if (knowledge_.asks_for_none && node.input()->type()->isSubtypeOf(*node.output()->type()))
      replace(*node.output(), *node.input());
  }

  void drop_unpacking(Node& node) {
    Node& made = *node.input()->node();
    const bool list = made.kind() == prim::ListConstruct && only_read(*node.input());
    if (!(list || made.kind() == prim::TupleConstruct) ||
        made.inputs().size() != node.outputs().size())
      return;
    for (std::size_t i = 0; i < node.outputs().size(); ++i)
      replace(*node.outputs()[i], *made.inputs()[i]);
  }

  Knowledge knowledge_;
  bool changed_ = false;
};

void fold(Graph& graph, const Knowledge& knowledge) {
  ConditionFolder folder(knowledge);
  for (int pass = 0; pass < max_passes && folder.fold(*graph.block()); ++pass) {
  }
}

} // namespace

std::optional<c10::IValue> value_of_constants(const Node& node) {
  if (const auto is = is_instance(node)) return is;
  std::vector<Abstract> inputs;
  for (const Value* input : node.inputs()) inputs.push_back(abstract(*input));
  return evaluate(node, inputs);
}

void fold_by_types(Graph& graph) { fold(graph, {}); }

void fold_by_attributes(Graph& graph, const torch::jit::Module& self) {
  AttributeValues attributes(graph, self);
  fold(graph, {.attributes = &attributes, .scalars_only = true, .asks_for_none = false});
}

void fold_frozen(Graph& graph, const torch::jit::Module& self) {
  AttributeValues attributes(graph, self);
  fold(graph, {.attributes = &attributes});
}

} // namespace model_validator::torchscript
