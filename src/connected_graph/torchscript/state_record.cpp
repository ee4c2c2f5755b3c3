#include "connected_graph/torchscript/state_record.h"

namespace model_validator::torchscript {
namespace {

constexpr int deepest = 16; ///< views of views, choices of choices

} // namespace

void StateRecord::hold(const Abstract& value, const Key& key, ModuleId module) {
  attributes_.try_emplace(key, Attribute{module, false, false});
  if (!value || value->object || !keys_.try_emplace(value.get(), key).second) return;
  alive_.push_back(value);
  if (!value->items) return;
  for (const Abstract& item : value->items->values) hold(item, key, module);
}

void StateRecord::assign(const Key& key, ModuleId module, const Place& place) {
  auto& attribute = attributes_.try_emplace(key, Attribute{module, false, false}).first->second;
  if (place.region == none) attribute.replaced = true;
  StateWrite write;
  write.schema = place.schema;
  write.frame = place.frame;
  write.region = place.region;
  writes_.emplace_back(key, std::move(write));
}

void StateRecord::collect(const Abstract& value, bool whole, int depth,
                          std::vector<std::pair<Key, bool>>& found) const {
  if (!value || depth == 0) return;
  if (const auto key = keys_.find(value.get()); key != keys_.end())
    found.emplace_back(key->second, whole);
  if (value->base) collect(value->base, false, depth - 1, found);
  for (const auto& [literal, alternative] : value->alternatives)
    collect(alternative, false, depth - 1, found);
}

std::vector<std::pair<StateRecord::Key, bool>> StateRecord::held_by(const Abstract& value) const {
  std::vector<std::pair<Key, bool>> found;
  collect(value, true, deepest, found);
  return found;
}

void StateRecord::read(const Abstract& value) {
  if (value && value->items && !keys_.contains(value.get()))
    for (const Abstract& item : value->items->values) read(item);
  for (const auto& [key, whole] : held_by(value)) {
    auto& attribute = attributes_.at(key);
    attribute.read = attribute.read || !attribute.replaced;
  }
}

void StateRecord::write(const Abstract& value, const Place& place, bool replaces) {
  for (const auto& [key, whole] : held_by(value)) {
    auto& attribute = attributes_.at(key);
    if (!replaces || !whole)
      attribute.read = attribute.read || (!replaces && !attribute.replaced);
    else if (place.region == none)
      attribute.replaced = true;
    StateWrite write;
    write.in_place = true;
    write.schema = place.schema;
    write.frame = place.frame;
    write.region = place.region;
    writes_.emplace_back(key, std::move(write));
  }
}

std::vector<StateWrite> StateRecord::writes() const {
  std::vector<StateWrite> all;
  for (const auto& [key, seen] : writes_) {
    StateWrite write = seen;
    const auto& attribute = attributes_.at(key);
    write.module = attribute.module;
    write.attribute = key.second;
    write.read = attribute.read;
    all.push_back(std::move(write));
  }
  return all;
}

} // namespace model_validator::torchscript
