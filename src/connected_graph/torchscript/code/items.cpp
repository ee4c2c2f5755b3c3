#include "connected_graph/torchscript/code/items.h"

#include "connected_graph/torchscript/ir/collection_facts.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

std::optional<std::size_t> position_of(const Items& items, const AbstractValue& key) {
  return items.lost || items.mutated_in_loop ? std::nullopt : entry_of(items, key);
}

std::optional<std::size_t> entry_of(const Items& items, const AbstractValue& key) {
  if (!key.known()) return std::nullopt;
  for (std::size_t i = 0; i < items.keys.size(); ++i)
    if (equal_keys(items.keys[i], *key.known())) return i;
  return std::nullopt;
}

std::optional<std::size_t> index_in(const Items& items, const AbstractValue& index) {
  if (items.dict) return position_of(items, index);
  const auto number = as_int(index);
  if (!number || !items.exact) return std::nullopt;
  return position_in(items.values.size(), *number);
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

namespace {

/// The collections that a value may be, or may be in.
class Loss {
public:
  /// Also forgets the other values that this one may be.
  void lose_others_of(const AbstractValue& value) {
    pending_.push_back(&value);
    lose_pending();
  }

  void mark_escaped(const Abstract& value) {
    lose_each(value);
    lose_contents(value);
    lose_pending();
  }

private:
  void lose_pending() {
    while (!pending_.empty()) {
      const AbstractValue& next = *pending_.back();
      pending_.pop_back();
      for (const auto& [literal, alternative] : next.alternatives) lose_each(alternative);
      for (const Abstract& other : next.may_alias) lose_each(other);
      for (const auto& copy : next.copies) lose_each(copy.lock());
      for (const Abstract& holder : next.possible_containers) lose_contents(holder);
    }
  }

  void lose_each(const Abstract& value) {
    if (!value || !lost_.insert(value.get()).second) return;
    if (value->items()) forget(*value->items());
    value->written = true;
    pending_.push_back(value.get());
  }

  void lose_contents(const Abstract& holder) {
    std::vector<Abstract> holders{holder};
    while (!holders.empty()) {
      const Abstract next = std::move(holders.back());
      holders.pop_back();
      if (!next || !opened_.insert(next.get()).second) continue;
      const auto follow = [&](const Abstract& other) { holders.push_back(other); };
      for (const auto& [literal, alternative] : next->alternatives) follow(alternative);
      std::for_each(next->may_alias.begin(), next->may_alias.end(), follow);
      std::for_each(next->possible_containers.begin(), next->possible_containers.end(), follow);
      if (!next->items() || std::exchange(next->items()->escaped, true)) continue;
      for (const Abstract& item : next->items()->values) {
        lose_each(item);
        follow(item);
      }
    }
  }

  std::unordered_set<const AbstractValue*> lost_;
  std::unordered_set<const AbstractValue*> opened_;
  std::vector<const AbstractValue*> pending_;
};

} // namespace

void forget(Items& items) {
  items.exact = false;
  items.lost = true;
}

void invalidate_aliases(const Abstract& value) {
  value->written = true;
  Loss().lose_others_of(*value);
}

void mark_escaped(const Abstract& value) { Loss().mark_escaped(value); }

} // namespace model_validator::torchscript
