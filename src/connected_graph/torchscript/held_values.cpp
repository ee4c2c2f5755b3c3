#include "connected_graph/torchscript/held_values.h"

namespace model_validator::torchscript {
namespace {

// Views of views, choices of choices. Anything deeper is not followed: in a file, a value could be
// any of very many others.
constexpr int max_sharing_depth = 8;
constexpr std::size_t max_shared = 16; ///< that one value may be

} // namespace

bool HeldValues::add(const Abstract& value, const Key& key) {
  return keys_.try_emplace(value.get(), key).second;
}

void HeldValues::share(const Abstract& part, const Abstract& whole) {
  if (!part || part == whole || keys_.empty() || shared_.count(part.get()) >= max_shared) return;
  if (attributes_of(whole).empty()) return;
  shared_.emplace(part.get(), whole);
  alive_.push_back(part);
}

bool HeldValues::is_held_by(const Abstract& value, const Key& key) const {
  const auto found = keys_.find(value.get());
  return found != keys_.end() && found->second == key;
}

bool HeldValues::may_be_held(const Abstract& value) const {
  return keys_.contains(value.get()) || shared_.contains(value.get()) ||
         !value->alternatives.empty();
}

HeldValues::Attributes HeldValues::attributes_of(const Abstract& value) const {
  Attributes found;
  if (!keys_.empty()) collect(value, true, max_sharing_depth, found);
  return found;
}

void HeldValues::collect(const Abstract& value, bool whole, int depth, Attributes& found) const {
  if (!value || depth == 0) return;
  if (const auto key = keys_.find(value.get()); key != keys_.end())
    found.emplace_back(key->second, whole);
  const auto [begin, end] = shared_.equal_range(value.get());
  for (auto shared = begin; shared != end; ++shared)
    collect(shared->second, false, depth - 1, found);
  for (const auto& [literal, alternative] : value->alternatives)
    collect(alternative, false, depth - 1, found);
}

} // namespace model_validator::torchscript
