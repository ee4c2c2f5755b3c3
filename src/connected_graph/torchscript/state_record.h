#pragma once

#include "connected_graph/torchscript/code/abstract_value.h"
#include "connected_graph/torchscript/code/dependence.h"

#include <model_validator/connected_graph.h>

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

/// What a walk has seen of a model's attributes and of what is computed from them.
struct StateFacts {
  using Node = Dependence::Node;
  /// An attribute of an object of the file.
  using Key = std::pair<const void*, std::string>;
  static constexpr std::size_t outside = static_cast<std::size_t>(-1);

  struct Attribute {
    ModuleId module = none;
    Node before = Dependence::nothing; ///< what the previous call left there
    bool looked_at = false;            ///< the model reads it, before or after it is set
  };
  struct Write {
    Key key;
    StateWrite place;
    Node stored = Dependence::nothing; ///< including what it is updated from in place
    Node after = Dependence::nothing;  ///< what the attribute holds from then on
    std::size_t arm = outside;
  };
  /// An `if` with an unknown condition, or a loop.
  struct Guard {
    Node decides = Dependence::nothing;
    bool loop = false;
  };
  /// What runs only if a guard decides so.
  struct Arm {
    std::size_t guard = 0;
    std::size_t around = outside;
    Node decided = Dependence::nothing; ///< depends on all that decides whether it runs
  };

  Dependence graph;
  std::vector<Node> inputs;
  std::map<Key, Attribute> attributes;
  std::vector<Write> writes;
  std::vector<Guard> guards;
  std::vector<Arm> arms;
};

/// The writes that matter when the model is exported, in the order in which they were seen.
///
/// A write has `read` set if results of a later call, or state kept for one, are computed from it,
/// and not if nothing in the model reads it. Left out are state that every call sets before reading
/// it; and state that decides nothing that a result depends on, such as whether a warning has been
/// given. What is only filled in, as caches are, has `filled` set as well.
std::vector<StateWrite> kept_state(const StateFacts& facts, Dependence::Node results);

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

/// Which of the previous call's attribute values have been replaced at this point of the walk.
class ReplacedState {
public:
  /// An attribute that was reassigned (true), or overwritten in place.
  using What = std::pair<StateFacts::Key, bool>;

  void add(const What& what) {
    if (replaced_.insert(what).second) in_order_.push_back(what);
  }
  bool contains(const What& what) const { return replaced_.contains(what); }

  /// Begins a part of the model that not every call runs. @return what to give `close`
  std::size_t open() const { return in_order_.size(); }
  /// Ends it: what was replaced there may still be there. @return what was replaced
  std::set<What> close(std::size_t opened) {
    const auto begin = in_order_.begin() + static_cast<std::ptrdiff_t>(opened);
    std::set<What> here(begin, in_order_.end());
    in_order_.erase(begin, in_order_.end());
    for (const What& what : here) replaced_.erase(what);
    return here;
  }
  /// What both arms of an `if` replace is replaced after it.
  void add_common(const std::set<What>& in_one_arm, const std::set<What>& in_the_other) {
    for (const What& what : in_one_arm)
      if (in_the_other.contains(what)) add(what);
  }

private:
  std::set<What> replaced_;
  std::vector<What> in_order_;
};

/// Records what a walk sees of a model's attributes: which are written, and what is computed from
/// what earlier calls left there.
class StateRecord {
public:
  using Node = StateFacts::Node;
  using Key = StateFacts::Key;

  /// A value that nothing is known to flow into yet.
  Node add() { return facts_.graph.add(); }
  Node next() const noexcept { return facts_.graph.next(); }
  /// An input of the call.
  void add_input(const Abstract& value);
  /// @return what stands for all that a use of the value sees
  Node read(const Abstract& value);
  /// Reads a collection as such: its contents are tracked by its elements.
  Node read_itself(const Abstract& value);
  /// Nodes created since `begin` inside `value` are computed from `sources`.
  void compute(const Abstract& value, Node begin, std::span<const Node> sources,
               Dependence::How how = Dependence::How::data);

  /// `value` is what the attribute held before the call; so are the elements of a list or dict.
  void hold(const Abstract& value, const Key& key, ModuleId module);
  /// The model reads the attribute.
  void look_at(const Key& key, ModuleId module) { attribute(key, module).looked_at = true; }
  /// Whether `value` is what the attribute held before the call.
  bool holds(const Abstract& value, const Key& key) const { return held_.is_held_by(value, key); }
  /// The attribute is reassigned.
  void assign(const Key& key, ModuleId module, const Abstract& value, StateWrite place);
  /// `part` shares memory with `whole`, or may be it.
  void share(const Abstract& part, const Abstract& whole) { held_.share(part, whole); }
  /// How much of a value a write replaces.
  enum class Overwrite { whole, part, entry };
  /// A value that may be a held one, or a view of it, is written into.
  void write(const Abstract& value, std::span<const Node> sources, const StateWrite& place,
             Overwrite overwrite);

  /// Begins code that runs under `condition`: an `if`, or a loop.
  std::size_t begin_guard(Node condition, bool loop);
  /// Adds something else that decides it.
  void add_condition(std::size_t guard, Node more);
  void enter_arm(std::size_t guard);
  void leave_arm() { arm_ = facts_.arms[arm_].around; }
  /// The guard decides what `value` is.
  void decide_by(std::size_t guard, const Abstract& value);
  /// `value` is `a` or `b`, as the guard decides.
  void choose(std::size_t guard, const Abstract& value, const Abstract& a, const Abstract& b);

  /// What has been replaced of what the previous call left.
  ReplacedState& replaced() noexcept { return replaced_; }
  bool is_set(const Key& key) const { return replaced_.contains({key, true}); }
  /// The attribute as it has been set in this call.
  Abstract set_value(const Key& key, const AbstractValue& known);

  const StateFacts& facts() const noexcept { return facts_; }

private:
  /// What flows into a value, including elements and what it is a view of.
  struct Parts {
    std::set<const AbstractValue*> seen;
    std::set<Node> nodes;
    std::set<Key> before;
  };
  StateFacts::Attribute& attribute(const Key& key, ModuleId module);
  void collect(const Abstract& value, Parts& parts) const;
  Node read(const Parts& parts);
  void compute(const Abstract& value, Node begin, std::span<const Node> sources,
               Dependence::How how, std::set<const AbstractValue*>& seen);
  void decide(Node node);
  Node change(const Abstract& value, Node stored, Overwrite overwrite);

  StateFacts facts_;
  std::size_t arm_ = StateFacts::outside;       ///< the open one
  std::map<Key, std::vector<Abstract>> values_; ///< per attribute, before the call
  HeldValues held_;
  ReplacedState replaced_;
};

} // namespace model_validator::torchscript
