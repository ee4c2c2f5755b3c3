#include "connected_graph/torchscript/code/attribute_value.h"

#include <algorithm>

namespace model_validator::torchscript {
namespace {

constexpr std::size_t max_list_length = 256;
constexpr std::size_t max_string_length = 1024;

template <class T, class Elements, class Convert>
std::vector<T> converted(const Elements& elements, Convert convert) {
  std::vector<T> values;
  for (const auto& element : elements) values.push_back(convert(element));
  return values;
}

/// A list whose elements are all of one plain kind.
std::optional<AttributeValue> list_of(const std::vector<c10::IValue>& elements) {
  const auto all = [&](auto is) { return std::all_of(elements.begin(), elements.end(), is); };
  if (elements.size() > max_list_length) return std::nullopt;
  if (all([](const c10::IValue& e) { return e.isInt(); }))
    return converted<std::int64_t>(elements, [](const c10::IValue& e) { return e.toInt(); });
  if (all([](const c10::IValue& e) { return e.isBool(); }))
    return converted<bool>(elements, [](const c10::IValue& e) { return e.toBool(); });
  if (all([](const c10::IValue& e) { return e.isDouble() || e.isInt(); }))
    return converted<double>(elements, [](const c10::IValue& e) {
      return e.isInt() ? static_cast<double>(e.toInt()) : e.toDouble();
    });
  if (all([](const c10::IValue& e) { return e.isString(); }))
    return converted<std::string>(elements, [](const c10::IValue& e) { return e.toStringRef(); });
  return std::nullopt;
}

} // namespace

std::optional<AttributeValue> attribute_of(const c10::IValue& value) {
  if (value.isNone()) return AttributeValue{};
  if (value.isBool()) return value.toBool();
  if (value.isInt()) return value.toInt();
  if (value.isDouble()) return value.toDouble();
  if (value.isDevice()) return value.toDevice().str();
  if (value.isString() && value.toStringRef().size() <= max_string_length)
    return value.toStringRef();
  if (value.isTuple()) return list_of(value.toTupleRef().elements().vec());
  if (value.isList() && !value.isTensorList() && value.toListRef().size() <= max_list_length)
    return list_of(value.toListRef().vec());
  return std::nullopt;
}

std::optional<AttributeValue> attribute_of(const Abstract& value) {
  if (value->known()) return attribute_of(*value->known());
  if (!value->items() || !value->items()->exact || value->items()->dict) return std::nullopt;
  std::vector<c10::IValue> elements;
  for (const Abstract& item : value->items()->values) {
    if (!item->known()) return std::nullopt;
    elements.push_back(*item->known());
  }
  return list_of(elements);
}

} // namespace model_validator::torchscript
