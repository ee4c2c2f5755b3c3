#include "connected_graph/torchscript/state_record.h"

#include <algorithm>

namespace model_validator::torchscript {
namespace {

// Views of views, choices of choices. What lies deeper is not told: a file could make a value be
// any of very many others.
constexpr int deepest_sharing = 8;
constexpr std::size_t most_shared = 16; ///< that one value may be

} // namespace

void StateRecord::hold(const Abstract& value, const Key& key, ModuleId module) {
  attributes_.try_emplace(key, Attribute{module, false});
  if (!value || value->object || !keys_.try_emplace(value.get(), key).second) return;
  alive_.push_back(value);
  if (!value->items) return;
  for (const Abstract& item : value->items->values) hold(item, key, module);
}

void StateRecord::replace(const Key& key) {
  if (replaced_.insert(key).second) replaced_in_order_.push_back(key);
}

void StateRecord::assign(const Key& key, ModuleId module, StateWrite place) {
  attributes_.try_emplace(key, Attribute{module, false});
  replace(key);
  writes_.emplace_back(key, std::move(place));
}

void StateRecord::share(const Abstract& part, const Abstract& whole) {
  if (!part || part == whole || keys_.empty() || shared_.count(part.get()) >= most_shared) return;
  if (held_by(whole).empty()) return;
  shared_.emplace(part.get(), whole);
  alive_.push_back(part);
}

void StateRecord::collect(const Abstract& value, bool whole, int depth, Held& found) const {
  if (!value || depth == 0) return;
  if (const auto key = keys_.find(value.get()); key != keys_.end())
    found.emplace_back(key->second, whole);
  const auto [begin, end] = shared_.equal_range(value.get());
  for (auto shared = begin; shared != end; ++shared)
    collect(shared->second, false, depth - 1, found);
  for (const auto& [literal, alternative] : value->alternatives)
    collect(alternative, false, depth - 1, found);
}

StateRecord::Held StateRecord::held_by(const Abstract& value) const {
  Held found;
  if (!keys_.empty()) collect(value, true, deepest_sharing, found);
  return found;
}

void StateRecord::use(const Abstract& value) {
  if (keys_.empty()) return;
  std::set<const AbstractValue*> seen;
  use(value, seen);
}

void StateRecord::use(const Abstract& value, std::set<const AbstractValue*>& seen) {
  if (!value || !seen.insert(value.get()).second) return;
  if (value->items && !keys_.contains(value.get()))
    for (const Abstract& item : value->items->values) use(item, seen);
  for (const auto& [key, whole] : held_by(value))
    if (!replaced_.contains(key)) attributes_.at(key).read = true;
}

void StateRecord::write(const Abstract& value, const StateWrite& place, bool replaces) {
  for (const auto& [key, whole] : held_by(value)) {
    if (replaces && whole) replace(key);
    writes_.emplace_back(key, place);
    writes_.back().second.in_place = true;
  }
}

std::set<StateRecord::Key> StateRecord::close(std::size_t opened) {
  const auto begin = replaced_in_order_.begin() + static_cast<std::ptrdiff_t>(opened);
  std::set<Key> here(begin, replaced_in_order_.end());
  replaced_in_order_.erase(begin, replaced_in_order_.end());
  for (const Key& key : here) replaced_.erase(key);
  return here;
}

void StateRecord::replace(const std::set<Key>& in_one_arm, const std::set<Key>& in_the_other) {
  for (const Key& key : in_one_arm)
    if (in_the_other.contains(key)) replace(key);
}

std::vector<StateWrite> StateRecord::writes() const {
  std::vector<StateWrite> all;
  for (const auto& [key, seen] : writes_) {
    StateWrite write = seen;
    const Attribute& attribute = attributes_.at(key);
    write.module = attribute.module;
    write.attribute = key.second;
    write.read = attribute.read;
    all.push_back(std::move(write));
  }
  return all;
}

} // namespace model_validator::torchscript
