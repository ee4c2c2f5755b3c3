#pragma once

#include "connected_graph/torchscript/abstract_value.h"

#include <model_validator/connected_graph.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

/// What a model keeps from one call to the next: which attributes a walk sees used before they are
/// set anew, and which it sees written.
class StateRecord {
public:
  /// An attribute of an object of the file.
  using Key = std::pair<const void*, std::string>;

  /// `value` is what the attribute held before the call; so are the elements of a list or dict.
  void hold(const Abstract& value, const Key& key, ModuleId module);
  /// The attribute is set anew.
  void assign(const Key& key, ModuleId module, StateWrite place);
  /// `part` shares memory with `whole`, or may be it.
  void share(const Abstract& part, const Abstract& whole);
  /// A value that may be a held one, or a view of it, is used.
  void use(const Abstract& value);
  /// It is written into.
  /// @param replaces  nothing of what it held is left
  void write(const Abstract& value, const StateWrite& place, bool replaces);

  /// Begins a part of the model that not every call runs. @return what to give `close`
  std::size_t open() const { return replaced_in_order_.size(); }
  /// Ends it: what was replaced there may be there as before. @return what was replaced
  std::set<Key> close(std::size_t opened);
  /// What both arms of an `if` replace is replaced after it.
  void replace(const std::set<Key>& in_one_arm, const std::set<Key>& in_the_other);

  /// Every write, in the order in which they were seen.
  std::vector<StateWrite> writes() const;

private:
  struct Attribute {
    ModuleId module = none;
    bool read = false; ///< used as the call before left it
  };
  /// Attributes that a value may hold, as they are or, behind a view, in part.
  using Held = std::vector<std::pair<Key, bool>>;
  Held held_by(const Abstract& value) const;
  void collect(const Abstract& value, bool whole, int depth, Held& found) const;
  void use(const Abstract& value, std::set<const AbstractValue*>& seen);
  void replace(const Key& key);

  std::map<Key, Attribute> attributes_;
  std::unordered_map<const AbstractValue*, Key> keys_;
  std::unordered_multimap<const AbstractValue*, Abstract> shared_;
  std::vector<Abstract> alive_; ///< so that no other value gets the address of one that is known
  std::set<Key> replaced_;      ///< what the call before left is gone
  std::vector<Key> replaced_in_order_;
  std::vector<std::pair<Key, StateWrite>> writes_;
};

} // namespace model_validator::torchscript
