#include "connected_graph/torchscript/items.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace model_validator::torchscript {

bool equal_keys(const c10::IValue& a, const c10::IValue& b) {
  if (a.isString() && b.isString()) return a.toStringRef() == b.toStringRef();
  return a.isInt() && b.isInt() && a.toInt() == b.toInt();
}

std::optional<std::size_t> position_of(const Items& items, const AbstractValue& key) {
  if (!key.known()) return std::nullopt;
  for (std::size_t i = 0; i < items.keys.size(); ++i)
    if (equal_keys(items.keys[i], *key.known())) return i;
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

std::optional<bool> contains(const Items& items, const AbstractValue& value) {
  if (!items.exact || !value.known()) return std::nullopt;
  if (items.dict) return position_of(items, value).has_value();
  const auto known = [](const Abstract& item) { return item->known() != nullptr; };
  if (std::any_of(items.values.begin(), items.values.end(), [&](const Abstract& item) {
        return item->known() && equal_keys(*item->known(), *value.known());
      }))
    return true;
  return std::all_of(items.values.begin(), items.values.end(), known) ? std::optional(false)
                                                                      : std::nullopt;
}

void lose_other(const Abstract& value) {
  std::unordered_set<const AbstractValue*> seen{value.get()};
  std::vector<const AbstractValue*> pending{value.get()};
  const auto lose = [&](const Abstract& other) {
    if (!other || !seen.insert(other.get()).second) return;
    if (other->items()) other->items()->exact = false;
    pending.push_back(other.get());
  };
  while (!pending.empty()) {
    const AbstractValue& next = *pending.back();
    pending.pop_back();
    for (const auto& [literal, alternative] : next.alternatives) lose(alternative);
    if (next.items())
      for (const Abstract& list : next.items()->one_of) lose(list);
  }
}

} // namespace model_validator::torchscript
