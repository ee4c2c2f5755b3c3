#include "connected_graph/torchscript/walk.h"

#include <algorithm>

namespace model_validator::torchscript {
namespace {

bool equal_keys(const c10::IValue& a, const c10::IValue& b) {
  if (a.isString() && b.isString()) return a.toStringRef() == b.toStringRef();
  return a.isInt() && b.isInt() && a.toInt() == b.toInt();
}

/// The position of a key; nullopt where it is not known, or not there.
std::optional<std::size_t> position_of(const Items& items, const AbstractValue& key) {
  if (!key.known) return std::nullopt;
  for (std::size_t i = 0; i < items.keys.size(); ++i)
    if (equal_keys(items.keys[i], *key.known)) return i;
  return std::nullopt;
}

std::optional<std::size_t> index_in(const Items& items, const AbstractValue& index) {
  if (items.dict) return position_of(items, index);
  const auto number = as_int(index);
  if (!number || !items.exact) return std::nullopt;
  const auto size = static_cast<std::int64_t>(items.values.size());
  const std::int64_t at = *number < 0 ? *number + size : *number;
  if (at < 0 || at >= size) return std::nullopt;
  return static_cast<std::size_t>(at);
}

constexpr std::int64_t longest_unpacked = 4096;

Abstract known_bool(bool value) { return make_known(c10::IValue(value)); }

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
  const auto [entry, fresh] = attributes_.try_emplace({&object, name}, nullptr);
  if (fresh) {
    const c10::IValue value = object.getSlot(object.type()->getAttributeSlot(name));
    // `__setstate__` is never run, so what it would have set is not known.
    const bool unset = value.isNone() && object.type()->findMethod("__setstate__");
    const bool changes = mutable_attributes_.contains({object.type().get(), name});
    if (unset || (changes && !value.isTensor() && !value.isObject()))
      entry->second = unknown(node.output()->type());
    else
      entry->second = from_ivalue(value, &object, name);
  }
  return entry->second;
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
  for (const Abstract& value : values)
    for (const Operand& operand : operands_of(value)) {
      if (operand.source) any->sources.push_back(*operand.source);
      if (operand.parameter) any->parameters.push_back(*operand.parameter);
      any->query = any->query && operand.query;
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

/// Lists and dicts, whose elements are followed. nullopt: an operator like any other.
std::optional<Abstract> Walk::collection_operator(const torch::jit::Node& node,
                                                  const Inputs& inputs) {
  const std::string kind = node.kind().toQualString();
  const auto changed = [&](const Abstract& list) {
    if (list->items->depth < path_.size() || open_loops_ > 0) list->items->exact = false;
  };
  if (kind == "prim::ListConstruct" || kind == "prim::DictConstruct") {
    const bool dict = kind == "prim::DictConstruct";
    Abstract made = make_items(dict ? Inputs{} : inputs);
    made->items->dict = dict;
    made->items->depth = path_.size();
    for (std::size_t i = 0; dict && i + 1 < inputs.size(); i += 2) {
      made->items->keys.push_back(inputs[i]->known.value_or(c10::IValue()));
      made->items->values.push_back(inputs[i + 1]);
      made->items->exact = made->items->exact && inputs[i]->known;
    }
    return made;
  }
  if (kind == "prim::CreateObject") {
    auto object = std::make_shared<AbstractValue>();
    object->fields = std::make_shared<Fields>();
    object->never_none = true;
    return object;
  }
  if (kind == "prim::isinstance") {
    if (const auto none_value = is_none(*inputs[0]); none_value && *none_value) {
      const auto& types = node.tys(c10::attr::types);
      return known_bool(std::any_of(types.begin(), types.end(), [](const c10::TypePtr& t) {
        return t->kind() == c10::TypeKind::NoneType;
      }));
    }
    return std::nullopt;
  }
  if (inputs.empty()) return std::nullopt;
  const Abstract& self = inputs[0];
  if (kind == "prim::unchecked_cast" || kind == "prim::unchecked_unwrap_optional" ||
      kind == "aten::_unwrap_optional" || kind == "prim::data" || kind == "aten::detach_data")
    return self;
  if (!self->items) return std::nullopt;
  Items& items = *self->items;
  if (kind == "aten::len" && items.exact)
    return make_known(static_cast<std::int64_t>(items.values.size()));
  if (kind == "aten::__getitem__") return element(self, inputs[1], node.output()->type());
  if (kind == "aten::get" && items.dict) {
    const auto at = position_of(items, *inputs[1]);
    if (at) return items.values[*at];
    return items.exact && inputs.size() > 2 ? inputs[2]
                                            : any_of(items.values, node.output()->type());
  }
  if (kind == "aten::__contains__" && items.exact && inputs[1]->known) {
    if (items.dict) return known_bool(position_of(items, *inputs[1]).has_value());
    bool all_known = true;
    for (const Abstract& item : items.values) {
      all_known = all_known && item->known;
      if (item->known && equal_keys(*item->known, *inputs[1]->known)) return known_bool(true);
    }
    return all_known ? std::optional(known_bool(false)) : std::nullopt;
  }
  if (kind == "aten::append") {
    items.values.push_back(inputs[1]);
    changed(self);
    return self;
  }
  if (kind == "aten::extend" && inputs[1]->items) {
    const std::vector<Abstract> more = inputs[1]->items->values;
    items.values.insert(items.values.end(), more.begin(), more.end());
    items.exact = items.exact && inputs[1]->items->exact;
    changed(self);
    return self;
  }
  if (kind == "aten::_set_item") {
    const auto at = index_in(items, *inputs[1]);
    if (at)
      items.values[*at] = inputs[2];
    else {
      items.values.push_back(inputs[2]);
      if (items.dict) items.keys.push_back(inputs[1]->known.value_or(c10::IValue()));
      items.exact = items.exact && items.dict && inputs[1]->known.has_value();
    }
    changed(self);
    return self;
  }
  if (kind == "aten::add" && inputs.size() == 2 && inputs[1]->items) {
    std::vector<Abstract> both = items.values;
    both.insert(both.end(), inputs[1]->items->values.begin(), inputs[1]->items->values.end());
    Abstract sum = make_items(std::move(both));
    sum->items->exact = items.exact && inputs[1]->items->exact;
    sum->items->depth = path_.size();
    return sum;
  }
  if (kind == "aten::values" && items.dict) {
    Abstract values = make_items(items.values);
    values->items->exact = items.exact;
    return values;
  }
  if (kind == "aten::keys" && items.dict) {
    Abstract keys = make_items({});
    for (const c10::IValue& key : items.keys) keys->items->values.push_back(make_known(key));
    keys->items->exact = items.exact;
    return keys;
  }
  if (kind == "aten::items" && items.dict) {
    Abstract pairs = make_items({});
    for (std::size_t i = 0; i < items.values.size(); ++i)
      pairs->items->values.push_back(make_items({make_known(items.keys[i]), items.values[i]}));
    pairs->items->exact = items.exact;
    return pairs;
  }
  if ((kind == "aten::list" || kind == "aten::dict" || kind == "aten::copy") && !items.dict) {
    Abstract copy = make_items(items.values);
    copy->items->exact = items.exact;
    copy->items->depth = path_.size();
    return copy;
  }
  return std::nullopt;
}

} // namespace model_validator::torchscript
