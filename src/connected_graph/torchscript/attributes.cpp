#include "connected_graph/torchscript/attributes.h"

#include "connected_graph/torchscript/code/callee.h"
#include "connected_graph/torchscript/code/items.h"
#include "connected_graph/torchscript/code/static_types.h"
#include "connected_graph/torchscript/ir/nested_nodes.h"
#include "connected_graph/torchscript/ir/operator_effects.h"

#include <torch/csrc/jit/api/function_impl.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

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

/// Visits each class of an object, and of the objects inside it, once.
template <class Visit>
void for_each_class(const c10::ivalue::Object& object, std::set<const c10::ClassType*>& seen,
                    const Visit& visit) {
  if (!seen.insert(object.type().get()).second) return;
  visit(*object.type());
  for (const c10::IValue& slot : object.slots())
    if (slot.isObject()) for_each_class(slot.toObjectRef(), seen, visit);
}

template <class Set> void add_attribute(const Node& node, Set& attributes) {
  if (const auto type = node.input(0)->type()->cast<c10::ClassType>())
    attributes.emplace(type.get(), node.s(attr::name));
}

/// The modules in a container, with their names.
struct Children {
  std::vector<Abstract> modules;
  std::vector<std::string> names;

  Abstract named(const c10::IValue& key) const {
    const auto found = std::find(names.begin(), names.end(), key.toStringRef());
    return found == names.end() ? nullptr
                                : modules[static_cast<std::size_t>(found - names.begin())];
  }
  Abstract at(std::int64_t index) const {
    const auto size = static_cast<std::int64_t>(modules.size());
    if (index >= size || index < -size) return nullptr;
    return modules[static_cast<std::size_t>(index < 0 ? index + size : index)];
  }
};

Children children_of(const c10::ivalue::Object& container, Values& values) {
  Children children;
  for (std::size_t i = 0; i < container.slots().size(); ++i)
    if (container.type()->getAttribute(i)->is_module()) {
      children.modules.push_back(values.from_ivalue(container.slots()[i], &container, ""));
      children.names.push_back(container.type()->getAttributeName(i));
    }
  return children;
}

} // namespace

Attributes::Attributes(WalkContext& context, Values& values, Decisions& decisions)
    : context_(context), values_(values), decisions_(decisions) {
  FilledAttributes fillings;
  std::set<const c10::ClassType*> seen;
  for_each_class(*context.root._ivalue(), seen, [&](const c10::ClassType& type) {
    for (torch::jit::Function* method : type.methods()) {
      // What it sets, it sets before the first call.
      if (!method->isGraphFunction() || method->name() == "__setstate__") continue;
      for_each_node(*torch::jit::toGraphFunction(*method).graph()->block(), [&](const Node& node) {
        if (node.kind() == prim::SetAttr) add_attribute(node, mutable_);
        for (const Node* read : fillings.filled_by(node)) add_attribute(*read, filled_);
      });
    }
  });
}

/// The attribute's value before anything sets it.
Abstract Attributes::held(const c10::ivalue::Object& object, const std::string& name,
                          const c10::TypePtr& type) {
  const c10::IValue value = object.getSlot(object.type()->getAttributeSlot(name));
  // `__setstate__` is never run, so what it would have computed is unknown.
  const bool unset = value.isNone() && object.type()->findMethod("__setstate__");
  const bool changes = mutable_.contains({object.type().get(), name});
  const bool lost = unset || (changes && !value.isTensor() && !value.isObject());
  Abstract held = lost ? values_.unknown(type) : values_.from_ivalue(value, &object, name);
  if (value.isObject()) held->parameters = context_.modules.packed_in(value.toObjectRef());
  // It holds this only in the first call.
  if (filled_.contains({object.type().get(), name})) mark_escaped(held);
  return held;
}

Abstract Attributes::get(const Node& node, const Abstract& self) {
  const std::string& name = node.s(attr::name);
  const c10::TypePtr& type = node.output()->type();
  if (self->fields()) {
    const auto found = self->fields()->find(name);
    // Any other holder of the object may have set its numbers and words.
    if (found == self->fields()->end() || found->second->known()) return values_.unknown(type);
    return values_.refined(found->second);
  }
  if (!self->object() || !self->object()->type()->findAttributeSlot(name)) {
    Abstract lost = values_.unknown(type);
    lost->sources = self->sources;
    return lost;
  }
  const c10::ivalue::Object& object = *self->object();
  const StateRecord::Key key{&object, name};
  StateRecord& state = context_.state;
  state.look_at(key, context_.module_of(object));
  const auto [entry, fresh] = values_of_.try_emplace(key, nullptr);
  if (fresh) {
    entry->second = held(object, name, type);
    state.hold(entry->second, key, context_.module_of(object));
  }
  // If the model sets it, its value may differ in the next iteration of a loop.
  if (context_.scope.open_loops > 0 && type->kind() != c10::TypeKind::TensorType &&
      !holds_collections(type) && mutable_.contains({object.type().get(), name}))
    return values_.either(entry->second, values_.unknown(type), type);
  // A value set on every path to here is unknown, but no longer what the previous call left.
  return state.holds(entry->second, key) && state.is_set(key) ? state.set_value(key, *entry->second)
                                                              : entry->second;
}

void Attributes::set(const Node& node, const Inputs& inputs) {
  const std::string& name = node.s(attr::name);
  if (inputs[0]->fields()) {
    (*inputs[0]->fields())[name] = inputs[1];
    return;
  }
  if (!inputs[0]->object()) return;
  const c10::TypePtr& type = inputs[0]->object()->type()->getAttribute(name);
  const StateRecord::Key key{inputs[0]->object(), name};
  const Abstract now = inputs[1]->known() ? values_.unknown(type) : inputs[1];
  const auto before = values_of_.find(key);
  if (context_.scope.region == none)
    values_of_[key] = now;
  else if (before != values_of_.end() && type->kind() != c10::TypeKind::TensorType)
    before->second = values_.either(before->second, now, type); // from now on it may hold either
}

Abstract Attributes::child(const Node& node, const Inputs& inputs) {
  const c10::TypePtr& type = node.output()->type();
  if (!inputs[0]->object()) return values_.unknown(type);
  Children children = children_of(*inputs[0]->object(), values_);
  Abstract known;
  if (const auto* key = inputs[1]->known(); key && key->isString()) known = children.named(*key);
  if (const auto index = as_int(*inputs[1]); index && !known) known = children.at(*index);
  if (known) return known;
  if (inputs[1]->counter_of_loop == none) return one_of(children.modules, type);
  Abstract each = make_items(std::move(children.modules));
  each->counter_of_loop = inputs[1]->counter_of_loop;
  return each;
}

/// Any of them: a chain of choices, each between one child and the rest.
Abstract Attributes::one_of(const std::vector<Abstract>& children, const c10::TypePtr& type) {
  Abstract choice = children.empty() ? values_.unknown(type) : children.back();
  for (std::size_t i = children.size(); i-- > 1;) {
    Abstract either = values_.unknown(type);
    const std::size_t decision = decisions_.fresh();
    either->alternatives = {{{decision, true}, children[i - 1]}, {{decision, false}, choice}};
    choice = either;
  }
  return choice;
}

} // namespace model_validator::torchscript
