#include "connected_graph/torchscript/values.h"

#include "connected_graph/torchscript/code/items.h"
#include "connected_graph/torchscript/code/static_types.h"

#include <algorithm>

namespace model_validator::torchscript {
namespace {

constexpr std::int64_t max_unpacked = 4096;

bool is_optional(const c10::TypePtr& type) {
  return type->kind() == c10::TypeKind::OptionalType || type->kind() == c10::TypeKind::AnyType ||
         type->kind() == c10::TypeKind::UnionType || type->kind() == c10::TypeKind::NoneType;
}

/// A plain value, which nothing can change in place.
bool is_word(const c10::IValue& value) {
  return value.isNone() || value.isInt() || value.isDouble() || value.isBool() ||
         value.isString() || value.isDevice() || value.isEnum();
}

} // namespace

Values::Values(WalkContext& context) : context_(context), state_(context.state) {}

Abstract Values::of(const Value* value, const Environment& environment) const {
  const auto found = environment.find(value);
  if (found != environment.end()) return refined(found->second);
  auto lost = std::make_shared<AbstractValue>();
  lost->query = true;
  return lost;
}

Inputs Values::inputs_of(const Node& node, const Environment& environment) const {
  Inputs inputs;
  inputs.reserve(node.inputs().size());
  for (const Value* input : node.inputs()) inputs.push_back(of(input, environment));
  return inputs;
}

Abstract Values::refined(Abstract value) const {
  while (value && !value->alternatives.empty()) {
    const Abstract* only = nullptr;
    std::size_t possible = 0;
    for (const auto& [literal, alternative] : value->alternatives)
      if (compatible({literal}, context_.scope.path)) {
        ++possible;
        only = &alternative;
      }
    if (possible != 1) return value;
    value = *only;
  }
  return value;
}

Abstract Values::unknown(const c10::TypePtr& type) {
  auto value = std::make_shared<AbstractValue>();
  value->number = next_number();
  value->node = state_.add();
  value->never_none = !is_optional(type);
  if (type->kind() == c10::TypeKind::NoneType) value->content = c10::IValue();
  return value;
}

Abstract Values::result(const c10::TypePtr& type, OpId op, std::size_t& output, bool query) {
  if (const auto tuple = type->cast<c10::TupleType>()) {
    std::vector<Abstract> elements;
    for (const c10::TypePtr& element : tuple->elements())
      elements.push_back(result(element, op, output, query));
    return make_items(std::move(elements));
  }
  Abstract value = unknown(type);
  if (type->kind() == c10::TypeKind::NoneType) return value;
  value->query = query || !holds_tensor(type);
  if (op != none) value->sources.push_back({op, output++});
  return value;
}

Abstract Values::from_ivalue(const c10::IValue& value, const c10::ivalue::Object* owner,
                             const std::string& name) {
  if (value.isTensor()) return from_tensor(value.toTensor(), owner, name);
  if (value.isTuple())
    return from_elements(value.toTupleRef().elements().asArrayRef(), owner, name);
  if (value.isList()) return from_elements(value.toListRef(), owner, name);
  if (value.isGenericDict()) return from_dict(value, owner, name);
  if (is_word(value)) return make_known(value);
  auto result = std::make_shared<AbstractValue>();
  result->never_none = true;
  if (value.isObject()) {
    result->content = value.toObject();
    return result;
  }
  result->number = next_number();
  result->query = true;
  return result;
}

Abstract Values::from_tensor(const at::Tensor& tensor, const c10::ivalue::Object* owner,
                             const std::string& name) {
  auto result = std::make_shared<AbstractValue>();
  result->never_none = true;
  result->number = next_number();
  result->node = state_.add();
  if (!tensor.defined()) return result;
  ParameterId parameter = owner ? context_.modules.parameter_of(*owner, name) : none;
  const ModuleId module = owner ? context_.modules.id_of(*owner) : none;
  if (parameter == none) parameter = context_.modules.add_tensor(module, name, tensor);
  result->parameters.push_back(parameter);
  return result;
}

Abstract Values::from_elements(c10::ArrayRef<c10::IValue> elements,
                               const c10::ivalue::Object* owner, const std::string& name) {
  std::vector<Abstract> values;
  for (const c10::IValue& element : elements)
    values.push_back(from_ivalue(element, owner, name + "." + std::to_string(values.size())));
  return make_items(std::move(values));
}

Abstract Values::from_dict(const c10::IValue& value, const c10::ivalue::Object* owner,
                           const std::string& name) {
  auto dict = make_items({});
  dict->items()->dict = true;
  for (const auto& entry : value.toGenericDict()) {
    dict->items()->keys.push_back(entry.key());
    const std::string key = entry.key().isString() ? entry.key().toStringRef() : "";
    dict->items()->values.push_back(from_ivalue(entry.value(), owner, name + "." + key));
  }
  return dict;
}

Abstract Values::any_of(const std::vector<Abstract>& values, const c10::TypePtr& type) {
  return values.size() == 1 ? values[0] : mixed(values, type);
}

Abstract Values::either(const Abstract& a, const Abstract& b, const c10::TypePtr& type) {
  if (a == b) return a;
  Abstract either = mixed({a, b}, type);
  if (holds_collections(type)) either->may_alias = {a, b};
  return either;
}

Abstract Values::any_element(const Items& items, const c10::TypePtr& type) {
  return items.lost || items.mutated_in_loop ? mixed(items.values, type)
                                             : any_of(items.values, type);
}

Abstract Values::mixed(const std::vector<Abstract>& values, const c10::TypePtr& type) {
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

Abstract Values::element(const Abstract& list, const Abstract& index, const c10::TypePtr& type) {
  if (list->items()) {
    if (const auto at = index_in(*list->items(), *index))
      return refined(list->items()->values[*at]);
    return any_element(*list->items(), type);
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
  if (list->list_of != none && at && *at >= 0 && *at < max_unpacked) {
    one->sources = {{list->list_of, static_cast<std::size_t>(*at)}};
    auto& outputs = context_.graph.op(list->list_of).outputs;
    outputs.resize(std::max(outputs.size(), static_cast<std::size_t>(*at) + 1));
  }
  return one;
}

} // namespace model_validator::torchscript
