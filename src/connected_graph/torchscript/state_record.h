#pragma once

#include "connected_graph/torchscript/abstract_value.h"
#include "connected_graph/torchscript/state_facts.h"

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

/// Keeps what a walk sees of a model's attributes: which are written, and what is computed from
/// what calls before have left there.
class StateRecord {
public:
  using Node = StateFacts::Node;
  using Key = StateFacts::Key;

  /// A value that nothing is known to go into yet.
  Node add() { return facts_.graph.add(); }
  Node next() const noexcept { return facts_.graph.next(); }
  /// What a call is given.
  void add_input(const Abstract& value);
  /// @return what stands for all that a use of the value sees
  Node read(const Abstract& value);
  /// Of a collection as such: what is in it is known by its elements.
  Node read_itself(const Abstract& value);
  /// What has come to be since `begin` inside `value` is computed from `sources`.
  void compute(const Abstract& value, Node begin, std::span<const Node> sources,
               Dependence::How how = Dependence::How::data);

  /// `value` is what the attribute held before the call; so are the elements of a list or dict.
  void hold(const Abstract& value, const Key& key, ModuleId module);
  /// The model asks for the attribute.
  void look_at(const Key& key, ModuleId module) { attribute(key, module).looked_at = true; }
  /// Whether `value` is what the attribute held before the call.
  bool holds(const Abstract& value, const Key& key) const;
  /// The attribute is set anew.
  void assign(const Key& key, ModuleId module, const Abstract& value, StateWrite place);
  /// `part` shares memory with `whole`, or may be it.
  void share(const Abstract& part, const Abstract& whole);
  /// What of the value is left where it is written into.
  enum class Left { nothing, rest, everything_else };
  /// A value that may be a held one, or a view of it, is written into.
  void write(const Abstract& value, std::vector<Node> sources, const StateWrite& place, Left left);

  /// Begins what runs where `condition` says so: an `if`, or a loop.
  std::size_t begin_guard(Node condition, bool loop);
  /// More that decides it is known.
  void add_condition(std::size_t guard, Node more);
  void enter_arm(std::size_t guard, bool second);
  void leave_arm() { arm_ = facts_.arms[arm_].around; }
  /// The guard decides what `value` is.
  void decide_by(std::size_t guard, const Abstract& value);
  /// `value` is `a` or `b`, as the guard decides.
  void choose(std::size_t guard, const Abstract& value, const Abstract& a, const Abstract& b);

  /// Begins a part of the model that not every call runs. @return what to give `close`
  std::size_t open() const { return replaced_in_order_.size(); }
  /// What is gone of what the call before left: set anew (true), or written over in place.
  using Replaced = std::pair<Key, bool>;
  /// Ends it: what was replaced there may be there as before. @return what was replaced
  std::set<Replaced> close(std::size_t opened);
  /// What both arms of an `if` replace is replaced after it.
  void replace(const std::set<Replaced>& in_one_arm, const std::set<Replaced>& in_the_other);
  bool is_set(const Key& key) const { return replaced_.contains({key, true}); }
  /// The attribute as it has been set in this call.
  Abstract set_value(const Key& key, const AbstractValue& known);

  const StateFacts& facts() const noexcept { return facts_; }

private:
  /// Attributes that a value may hold, as they are or, behind a view, in part.
  using Held = std::vector<std::pair<Key, bool>>;
  /// What goes into a value, elements and what it is a view of included.
  struct Parts {
    std::set<const AbstractValue*> seen;
    std::set<Node> nodes;
    std::set<Key> before;
  };
  StateFacts::Attribute& attribute(const Key& key, ModuleId module);
  bool held(const Abstract& value) const;
  Held held_by(const Abstract& value) const;
  std::set<Key> keys_of(const Abstract& value) const;
  void collect(const Abstract& value, bool whole, int depth, Held& found) const;
  void collect(const Abstract& value, Parts& parts) const;
  Node read(const Parts& parts);
  void compute(const Abstract& value, Node begin, std::span<const Node> sources,
               Dependence::How how, std::set<const AbstractValue*>& seen);
  void decide(Node node);
  Node change(const Abstract& value, Node stored, Left left);
  void replace(const Replaced& what);

  StateFacts facts_;
  std::size_t arm_ = StateFacts::outside; ///< that is open
  std::unordered_map<const AbstractValue*, Key> keys_;
  std::unordered_multimap<const AbstractValue*, Abstract> shared_;
  std::map<Key, std::vector<Abstract>> values_; ///< of each attribute, before the call
  std::vector<Abstract> alive_; ///< so that no other value gets the address of one that is known
  std::set<Replaced> replaced_;
  std::vector<Replaced> replaced_in_order_;
};

} // namespace model_validator::torchscript
