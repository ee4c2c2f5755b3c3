#pragma once

#include "connected_graph/torchscript/abstract_value.h"

#include <model_validator/connected_graph.h>

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

/// What a model keeps from one call to the next: which attributes a walk sees read before they are
/// set anew, and which it sees written.
class StateRecord {
public:
  /// An attribute of an object of the file.
  using Key = std::pair<const void*, std::string>;
  struct Place {
    FrameId frame = none;
    RegionId region = none; ///< `none` where it runs in every call
    std::string schema;     ///< of what writes
  };

  /// `value` is what the attribute held before the call, or, of a list, part of that.
  void hold(const Abstract& value, const Key& key, ModuleId module);
  void assign(const Key& key, ModuleId module, const Place& place);
  /// A value that may be a held one, or a view of it, is used.
  void read(const Abstract& value);
  /// It is written into.
  /// @param replaces  nothing of what it held is left
  void write(const Abstract& value, const Place& place, bool replaces);

  /// Every write, in the order in which they were seen.
  std::vector<StateWrite> writes() const;

private:
  struct Attribute {
    ModuleId module = none;
    bool read = false;     ///< as the call before left it
    bool replaced = false; ///< what the call before left is gone
  };
  /// Attributes that a value may hold, as they are or, behind a view, in part.
  std::vector<std::pair<Key, bool>> held_by(const Abstract& value) const;
  void collect(const Abstract& value, bool whole, int depth,
               std::vector<std::pair<Key, bool>>& found) const;

  std::map<Key, Attribute> attributes_;
  std::unordered_map<const AbstractValue*, Key> keys_;
  std::vector<Abstract> alive_; ///< so that no other value gets the address of a held one
  std::vector<std::pair<Key, StateWrite>> writes_;
};

} // namespace model_validator::torchscript
