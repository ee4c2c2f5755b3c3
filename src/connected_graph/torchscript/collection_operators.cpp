#include "connected_graph/torchscript/collection_operators.h"

#include "connected_graph/torchscript/code/items.h"
#include "connected_graph/torchscript/code/static_types.h"
#include "connected_graph/torchscript/ir/collection_facts.h"
#include "connected_graph/torchscript/ir/operator_effects.h"

#include <model_validator/error.h>

#include <algorithm>
#include <unordered_map>

namespace model_validator::torchscript {
namespace {

constexpr std::size_t max_list_length = 100'000;

void require_sensible(std::size_t length) {
  if (length > max_list_length)
    throw Error(ErrorKind::too_large, "",
                "a list of the model has more than " + std::to_string(max_list_length) +
                    " elements",
                "do not trust this file; if it is yours, export a part of it");
}

c10::IValue key_of(const AbstractValue& value) {
  return value.known() ? *value.known() : c10::IValue();
}

struct HashOfKey {
  std::size_t operator()(const c10::IValue& key) const { return c10::IValue::hash(key); }
};
struct EqualKeys {
  bool operator()(const c10::IValue& a, const c10::IValue& b) const { return equal_keys(a, b); }
};

/// `isinstance` of None; for anything else the types are compared at run time.
std::optional<Abstract> is_instance(const Node& node, const Abstract& value) {
  if (!is_none(*value).value_or(false)) return std::nullopt;
  const auto& types = node.tys(attr::types);
  const bool none_type = std::any_of(types.begin(), types.end(), [](const c10::TypePtr& type) {
    return type->kind() == c10::TypeKind::NoneType;
  });
  return make_known(c10::IValue(none_type));
}

/// An instance of one of the model's own classes.
Abstract new_object() {
  auto object = std::make_shared<AbstractValue>();
  object->content = std::make_shared<Fields>();
  object->never_none = true;
  return object;
}

/// Whether the walk knows what the operator stores in a list or dict.
bool is_followed(const std::string& kind) {
  return kind == "aten::append" || kind == "aten::insert" || kind == "aten::extend" ||
         kind == "aten::_set_item";
}

/// Whether the operator passes its input on.
bool passes_on(const std::string& kind) {
  return kind == "prim::unchecked_cast" || kind == "aten::_unwrap_optional" ||
         kind == "prim::unchecked_unwrap_optional" || kind == "prim::data";
}

} // namespace

/// A list whose elements are `values`, made here. Which others it has depends on what it is made
/// of.
Abstract CollectionOperators::made(std::vector<Abstract> values, bool exact) const {
  Abstract list = make_items(std::move(values));
  if (!exact) list->node = values_.add_node();
  list->items()->exact = exact;
  list->items()->depth = scope_.path.size();
  return list;
}

/// Whether some path from where the collection was made does not pass here.
bool CollectionOperators::is_conditional(const Items& items) const {
  return items.depth < scope_.path.size() || scope_.open_loops > 0;
}

/// A collection changed on only some paths is no longer known exactly.
void CollectionOperators::changed(Items& items) const {
  if (is_conditional(items)) items.exact = false;
}

/// A list or dict of the elements of another.
Abstract CollectionOperators::copied(const Items& items) const {
  Abstract copy = made(items.values, items.exact);
  copy->items()->lost = items.lost;
  return copy;
}

Abstract CollectionOperators::make_dict(const Inputs& inputs) const {
  Abstract dict = made({}, true);
  dict->items()->dict = true;
  std::unordered_map<c10::IValue, std::size_t, HashOfKey, EqualKeys> entries;
  for (std::size_t i = 0; i + 1 < inputs.size(); i += 2) {
    Items& items = *dict->items();
    if (!inputs[i]->known()) forget(items);
    const c10::IValue key = key_of(*inputs[i]);
    if (key.isString() || key.isInt() || key.isDouble() || key.isBool()) {
      const auto [entry, fresh] = entries.try_emplace(key, items.values.size());
      if (!fresh) {
        items.values[entry->second] = inputs[i + 1]; // among equal keys the last one counts
        continue;
      }
    }
    items.keys.push_back(key);
    items.values.push_back(inputs[i + 1]);
  }
  return dict;
}

Abstract CollectionOperators::appended(const Abstract& list, const Items& more) const {
  const std::vector<Abstract> added = more.values; // a list may be extended with itself
  Items& items = *list->items();
  require_sensible(items.values.size() + added.size());
  items.values.insert(items.values.end(), added.begin(), added.end());
  items.exact = items.exact && more.exact;
  items.lost = items.lost || more.lost;
  changed(items);
  return list;
}

Abstract CollectionOperators::sum(const Items& first, const Items& second) const {
  const Abstract list = appended(copied(first), second);
  const bool inexact = !list->items()->exact;
  if (inexact && list->node == Dependence::nothing) list->node = values_.add_node();
  return list;
}

Abstract CollectionOperators::set_item(const Node& node, const Inputs& inputs) {
  const Abstract& key = inputs[1];
  const Abstract& value = inputs[2];
  Items& items = *inputs[0]->items();
  if (items.dict && !key->known()) forget(items);
  const c10::TypePtr& type = node.input(2)->type();
  // The data that a loop leaves is that of its last iteration.
  const bool data = type->kind() == c10::TypeKind::TensorType && items.depth == scope_.path.size();
  if (const auto at = items.dict ? entry_of(items, *key) : index_in(items, *key))
    items.values[*at] =
        is_conditional(items) && !data ? values_.either(items.values[*at], value, type) : value;
  else {
    items.values.push_back(value);
    if (items.dict) items.keys.push_back(key_of(*key));
    items.exact = items.exact && items.dict && key->known();
  }
  changed(items);
  return inputs[0];
}

Abstract CollectionOperators::inserted(const Abstract& list, const Abstract& index,
                                       const Abstract& value) const {
  Items& items = *list->items();
  const auto size = static_cast<std::int64_t>(items.values.size());
  const auto number = as_int(*index);
  if (!number) items.exact = false;
  const std::int64_t wanted = number ? (*number < 0 ? *number + size : *number) : size;
  items.values.insert(items.values.begin() + std::clamp<std::int64_t>(wanted, 0, size), value);
  changed(items);
  return list;
}

/// `dict()` of nothing, of a dict, or of a list of pairs.
std::optional<Abstract> CollectionOperators::dict_of(const Inputs& inputs) const {
  if (inputs.empty()) return make_dict({});
  if (!inputs[0]->items()) return std::nullopt;
  const Items& from = *inputs[0]->items();
  Inputs pairs;
  for (std::size_t i = 0; i < from.values.size(); ++i) {
    if (from.dict)
      pairs.insert(pairs.end(), {make_known(from.keys[i]), from.values[i]});
    else if (const auto* pair = from.values[i]->items(); pair && pair->values.size() == 2)
      pairs.insert(pairs.end(), pair->values.begin(), pair->values.end());
    else
      return std::nullopt;
  }
  Abstract dict = make_dict(pairs);
  dict->items()->exact = dict->items()->exact && from.exact;
  if (!from.exact) dict->node = values_.add_node();
  dict->items()->lost = dict->items()->lost || from.lost;
  return dict;
}

/// `pop()`: the element, which is removed.
Abstract CollectionOperators::popped(const Abstract& list, const Abstract& index,
                                     const c10::TypePtr& type) {
  Items& items = *list->items();
  const auto at = index_in(items, *index);
  if (!at || is_conditional(items)) {
    items.exact = false;
    return at ? items.values[*at] : values_.any_element(items, type);
  }
  const auto position = static_cast<std::ptrdiff_t>(*at);
  Abstract value = items.values[*at];
  items.values.erase(items.values.begin() + position);
  if (items.dict) items.keys.erase(items.keys.begin() + position);
  return value;
}

Abstract CollectionOperators::get_item(const Inputs& inputs, const c10::TypePtr& type) {
  const Items& items = *inputs[0]->items();
  const auto at = position_of(items, *inputs[1]);
  if (items.exact && at) return items.values[*at];
  if (items.exact && inputs[1]->known() && inputs.size() > 2) return inputs[2];
  const Abstract held = at ? items.values[*at] : values_.any_element(items, type);
  return inputs.size() > 2 ? values_.either(held, inputs[2], type)
                           : values_.either(held, make_known({}), type);
}

/// `keys()`, `values()` and `items()` of a dict.
Abstract CollectionOperators::dict_view(const Items& dict, const std::string& view) const {
  std::vector<Abstract> elements;
  for (std::size_t i = 0; i < dict.values.size(); ++i) {
    if (view == "aten::values")
      elements.push_back(dict.values[i]);
    else if (view == "aten::keys")
      elements.push_back(make_known(dict.keys[i]));
    else
      elements.push_back(make_items({make_known(dict.keys[i]), dict.values[i]}));
  }
  Abstract list = made(std::move(elements), dict.exact);
  list->items()->lost = dict.lost;
  return list;
}

/// A value stored where the walk does not follow it may be changed there.
void CollectionOperators::note_write(const Node& node, const Inputs& inputs) {
  invalidate_aliases(inputs[0]);
  const Items* items = inputs[0]->items();
  const bool follows = items && !items->lost && !items->mutated_in_loop && !items->escaped &&
                       is_followed(node.kind().toQualString());
  for (std::size_t i = 1; i < inputs.size() && !follows; ++i)
    if (holds_collections(node.input(i)->type())) mark_escaped(inputs[i]);
}

std::optional<Abstract> CollectionOperators::walk(const Node& node, const Inputs& inputs) {
  const std::string kind = node.kind().toQualString();
  if (auto value = make(kind, inputs)) return value;
  if (inputs.empty()) return std::nullopt;
  if (kind == "prim::isinstance") return is_instance(node, inputs[0]);
  if (passes_on(kind)) return inputs[0];
  if (writes(node, 0)) note_write(node, inputs);
  if (inputs[0]->items()) {
    if (auto value = read(kind, node, inputs)) return value;
    if (auto value = change(kind, node, inputs)) return value;
    return inputs[0]->items()->dict ? read_dict(kind, node, inputs) : std::nullopt;
  }
  const bool picks = kind == "aten::__getitem__" && holds_tensor(node.output()->type());
  if (picks) return values_.element(inputs[0], inputs[1], node.output()->type());
  return std::nullopt;
}

std::optional<Abstract> CollectionOperators::make(const std::string& kind,
                                                  const Inputs& inputs) const {
  if (kind == "prim::ListConstruct") return made(inputs, true);
  if (kind == "prim::DictConstruct") return make_dict(inputs);
  if (kind == "aten::dict") return dict_of(inputs);
  if (kind == "prim::CreateObject") return new_object();
  return std::nullopt;
}

std::optional<Abstract> CollectionOperators::read(const std::string& kind, const Node& node,
                                                  const Inputs& inputs) {
  const Items& items = *inputs[0]->items();
  if (kind == "aten::len" && items.exact)
    return make_known(static_cast<std::int64_t>(items.values.size()));
  if (kind == "aten::__contains__") {
    const auto found = contains(items, *inputs[1]);
    return found ? std::optional(make_known(c10::IValue(*found))) : std::nullopt;
  }
  if (kind == "aten::__getitem__")
    return values_.element(inputs[0], inputs[1], node.output()->type());
  if (kind == "aten::add" && inputs.size() == 2 && inputs[1]->items())
    return sum(items, *inputs[1]->items());
  if ((kind == "aten::list" || kind == "aten::copy") && !items.dict) return copied(items);
  return std::nullopt;
}

std::optional<Abstract> CollectionOperators::change(const std::string& kind, const Node& node,
                                                    const Inputs& inputs) {
  if (kind == "aten::_set_item") return set_item(node, inputs);
  if (kind == "aten::insert") return inserted(inputs[0], inputs[1], inputs[2]);
  if (kind == "aten::append") return appended(inputs[0], *make_items({inputs[1]})->items());
  if (kind == "aten::extend" && inputs.size() == 2 && inputs[1]->items())
    return appended(inputs[0], *inputs[1]->items());
  if (kind != "aten::pop") return std::nullopt;
  if (inputs.size() > 2) return std::nullopt; // a dict, with a default
  const Abstract last = make_known(std::int64_t{-1});
  return popped(inputs[0], inputs.size() > 1 ? inputs[1] : last, node.output()->type());
}

std::optional<Abstract> CollectionOperators::read_dict(const std::string& kind, const Node& node,
                                                       const Inputs& inputs) {
  if (kind == "aten::get") return get_item(inputs, node.output()->type());
  if (kind == "aten::keys" || kind == "aten::values" || kind == "aten::items")
    return dict_view(*inputs[0]->items(), kind);
  return std::nullopt;
}

} // namespace model_validator::torchscript
