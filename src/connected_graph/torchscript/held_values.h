#pragma once

#include "connected_graph/torchscript/code/abstract_value.h"
#include "connected_graph/torchscript/state_facts.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

/// Which values are, or may be, what an attribute held before the call: its value, an element of
/// it, or a view.
class HeldValues {
public:
  using Key = StateFacts::Key;
  /// Attributes with whether the value is what they hold (true) or may be a part of it.
  using Attributes = std::vector<std::pair<Key, bool>>;

  /// The value is what the attribute holds. @return false if that was already known
  bool add(const Abstract& value, const Key& key);
  /// `part` shares memory with `whole`, or may be it.
  void share(const Abstract& part, const Abstract& whole);

  bool is_held_by(const Abstract& value, const Key& key) const;
  bool may_be_held(const Abstract& value) const;
  Attributes attributes_of(const Abstract& value) const;

private:
  void collect(const Abstract& value, bool whole, int depth, Attributes& found) const;

  std::unordered_map<const AbstractValue*, Key> keys_;
  std::unordered_multimap<const AbstractValue*, Abstract> shared_;
  std::vector<Abstract> alive_; ///< so that no other value gets a known value's address
};

} // namespace model_validator::torchscript
