#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>

namespace model_validator {

/// Whether a value is among the items of a list.
template <class List, class Value> constexpr bool contains(const List& list, const Value& value) {
  return std::find(std::begin(list), std::end(list), value) != std::end(list);
}

/// The same of a list that stands in the call: `contains({"is", "is not"}, word)`.
template <class Item, class Value>
constexpr bool contains(std::initializer_list<Item> list, const Value& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// The first row of a table in which a member has this value; null if there is none.
template <class Table, class Member, class Value>
constexpr auto row_with(const Table& table, Member member, const Value& value)
    -> decltype(&*std::begin(table)) {
  const auto found = std::ranges::find(table, value, member);
  return found == std::end(table) ? nullptr : &*found;
}

} // namespace model_validator
