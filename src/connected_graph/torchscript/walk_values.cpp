#include "connected_graph/torchscript/items.h"
#include "connected_graph/torchscript/walk.h"

#include <algorithm>

namespace model_validator::torchscript {
namespace {

constexpr std::int64_t longest_unpacked = 4096;

} // namespace

Abstract Walk::from_ivalue(const c10::IValue& value, const c10::ivalue::Object* owner,
                           const std::string& name) {
  auto result = std::make_shared<AbstractValue>();
  result->never_none = true;
  if (value.isObject()) {
    result->object = value.toObject();
    return result;
  }
  if (value.isTensor()) {
    result->number = next_number_++;
    result->node = state_.add();
    if (!value.toTensor().defined()) return result;
    ParameterId parameter = owner ? modules_.parameter_of(*owner, name) : none;
    const ModuleId module = owner ? modules_.id_of(*owner) : none;
    if (parameter == none) parameter = modules_.add_tensor(module, name, value.toTensor());
    result->parameters.push_back(parameter);
    return result;
  }
  if (value.isTuple() || value.isList()) {
    std::vector<Abstract> elements;
    if (value.isTuple())
      for (const c10::IValue& e : value.toTupleRef().elements())
        elements.push_back(from_ivalue(e, owner, name + "." + std::to_string(elements.size())));
    else
      for (const c10::IValue& e : value.toList())
        elements.push_back(from_ivalue(e, owner, name + "." + std::to_string(elements.size())));
    return make_items(std::move(elements));
  }
  if (value.isGenericDict()) {
    auto dict = make_items({});
    dict->items->dict = true;
    for (const auto& entry : value.toGenericDict()) {
      dict->items->keys.push_back(entry.key());
      const std::string key = entry.key().isString() ? entry.key().toStringRef() : "";
      dict->items->values.push_back(from_ivalue(entry.value(), owner, name + "." + key));
    }
    return dict;
  }
  if (value.isNone() || value.isInt() || value.isDouble() || value.isBool() || value.isString() ||
      value.isDevice())
    return make_known(value);
  result->number = next_number_++;
  result->query = true;
  return result;
}

Abstract Walk::get_attribute(const torch::jit::Node& node, const Abstract& self) {
  const std::string& name = node.s(c10::attr::name);
  if (self->fields) {
    const auto found = self->fields->find(name);
    return found == self->fields->end() ? unknown(node.output()->type()) : refined(found->second);
  }
  if (!self->object || !self->object->type()->findAttributeSlot(name)) {
    Abstract lost = unknown(node.output()->type());
    lost->sources = self->sources;
    return lost;
  }
  const c10::ivalue::Object& object = *self->object;
  const StateRecord::Key key{&object, name};
  state_.look_at(key, module_of(object));
  const auto [entry, fresh] = attributes_.try_emplace(key, nullptr);
  if (fresh) {
    const c10::IValue value = object.getSlot(object.type()->getAttributeSlot(name));
    // `__setstate__` is never run, so what it would have set is not known.
    const bool unset = value.isNone() && object.type()->findMethod("__setstate__");
    const bool changes = mutable_attributes_.contains({object.type().get(), name});
    if (unset || (changes && !value.isTensor() && !value.isObject()))
      entry->second = unknown(node.output()->type());
    else
      entry->second = from_ivalue(value, &object, name);
    // It holds this in the first call only.
    if (entry->second->items && filled_attributes_.contains({object.type().get(), name}))
      entry->second->items->exact = false;
    state_.hold(entry->second, key, module_of(object));
  }
  // What is set on every path to here is not known, but is no longer what the call before left.
  return state_.holds(entry->second, key) && state_.is_set(key)
             ? state_.set_value(key, *entry->second)
             : entry->second;
}

void Walk::set_attribute(const torch::jit::Node& node, const Inputs& inputs) {
  const std::string& name = node.s(c10::attr::name);
  if (inputs[0]->fields)
    (*inputs[0]->fields)[name] = inputs[1];
  else if (inputs[0]->object && inputs[1]->known == std::nullopt && region_ == none)
    attributes_[{inputs[0]->object.get(), name}] = inputs[1];
}

bool Walk::unpack(const torch::jit::Node& node, const Abstract& value, Environment& environment) {
  const auto outputs = node.outputs();
  for (std::size_t i = 0; i < outputs.size(); ++i)
    environment[outputs[i]] =
        element(value, make_known(static_cast<std::int64_t>(i)), outputs[i]->type());
  return true;
}

/// One of several values: the data of all of them.
Abstract Walk::any_of(const std::vector<Abstract>& values, const c10::TypePtr& type) {
  if (values.size() == 1) return values[0];
  Abstract any = unknown(type);
  any->query = true;
  for (const Abstract& value : values) {
    state_.share(any, value);
    const StateRecord::Node source = state_.read(value);
    state_.compute(any, any->node, std::span(&source, 1));
    for (const Operand& operand : operands_of(value)) {
      if (operand.source) any->sources.push_back(*operand.source);
      if (operand.parameter) any->parameters.push_back(*operand.parameter);
      any->query = any->query && operand.query;
    }
  }
  any->query = any->query && !any->sources.empty();
  return any;
}

Abstract Walk::element(const Abstract& list, const Abstract& index, const c10::TypePtr& type) {
  if (list->items) {
    if (const auto at = index_in(*list->items, *index)) return refined(list->items->values[*at]);
    return any_of(list->items->values, type);
  }
  if (!list->alternatives.empty()) {
    Abstract choice = unknown(type);
    choice->sources = list->sources;
    for (const auto& [literal, alternative] : list->alternatives)
      choice->alternatives.emplace_back(literal, element(alternative, index, type));
    return choice;
  }
  Abstract one = unknown(type);
  one->query = list->query;
  one->sources = list->sources;
  one->parameters = list->parameters;
  const auto at = as_int(*index);
  if (list->list_of != none && at && *at >= 0 && *at < longest_unpacked) {
    one->sources = {{list->list_of, static_cast<std::size_t>(*at)}};
    auto& outputs = graph_.op(list->list_of).outputs;
    outputs.resize(std::max(outputs.size(), static_cast<std::size_t>(*at) + 1));
  }
  return one;
}

/// `self.layers[i]`: the child, or the choice between all of them.
Abstract Walk::child_of(const torch::jit::Node& node, const Inputs& inputs) {
  if (!inputs[0]->object) return unknown(node.output()->type());
  const c10::ivalue::Object& container = *inputs[0]->object;
  std::vector<Abstract> children;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < container.slots().size(); ++i)
    if (container.type()->getAttribute(i)->is_module()) {
      children.push_back(from_ivalue(container.slots()[i], &container, ""));
      names.push_back(container.type()->getAttributeName(i));
    }
  if (const auto& key = inputs[1]->known; key && key->isString()) {
    const auto named = std::find(names.begin(), names.end(), key->toStringRef());
    if (named != names.end()) return children[static_cast<std::size_t>(named - names.begin())];
  }
  const auto index = as_int(*inputs[1]);
  const auto size = static_cast<std::int64_t>(children.size());
  if (index && *index < size && *index >= -size)
    return children[static_cast<std::size_t>(*index < 0 ? *index + size : *index)];
  if (inputs[1]->counter_of_loop != none) {
    Abstract each = make_items(std::move(children));
    each->counter_of_loop = inputs[1]->counter_of_loop;
    return each;
  }
  Abstract choice = children.empty() ? unknown(node.output()->type()) : children.back();
  for (std::size_t i = children.size(); i-- > 1;) {
    Abstract either = unknown(node.output()->type());
    const std::size_t decision =
        decisions_.try_emplace(next_number_++, decisions_.size()).first->second;
    either->alternatives = {{{decision, true}, children[i - 1]}, {{decision, false}, choice}};
    choice = either;
  }
  return choice;
}

} // namespace model_validator::torchscript
