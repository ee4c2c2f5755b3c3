#pragma once

#include "fixes/imports.h"
#include "fixes/source_index.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace model_validator::fixes {

/// What must hold of a new child, so that code which looks at children does nothing with it.
struct ChildDemands {
  std::set<std::string> types;      ///< none of these classes, nor one derived from them
  std::set<std::string> type_parts; ///< none of these in its class's name
  std::set<std::string> attributes; ///< none of these
  std::set<std::string> names;      ///< not called one of these
  std::set<std::string> parts;      ///< none of these in its name
  std::set<std::string> prefixes;   ///< nor its name begins with one of these
  bool mode = false;                ///< it computes the same in training and in evaluation
  bool leaf = false;                ///< it holds no modules itself
  bool sibling = false;             ///< it is not the first child of what holds it
  bool operator==(const ChildDemands&) const = default;
};

/// A value in code, as far as it comes from the new child.
struct ChildValue {
  enum class Kind {
    plain, ///< does not
    child, ///< the module
    name,  ///< in what holds it
    path,  ///< from the network's root
    type,  ///< its class
    type_name,
    tuple,   ///< `parts` in order
    many,    ///< in an order, with all others; each is `parts[0]`
    mapping, ///< of `parts[0]` to `parts[1]`
    empty,   ///< its weights, say, of which it has none
    mode,    ///< its `training`
    fresh,   ///< a new module without weights in its place
    derived, ///< computed from it, or from how many there are
  };
  Kind kind = Kind::plain;
  std::vector<ChildValue> parts = {};

  bool is(Kind other) const { return kind == other; }
  bool tracked() const { return kind != Kind::plain && kind != Kind::empty; }
};

/// Where code notices a new child. Thrown.
struct Noticed {
  Node where;
};
/// Where it would fail, as no module without weights has what it asks for.
struct Fails : Noticed {};

/// Follows a module that is one child more through the code that is given it: in its turn of a
/// loop, in what is collected, and in the functions that either is passed to. What it does not
/// know, notices.
class ChildFlow {
public:
  /// Whether the child is a copy of one that is already there: what is done to all modules of a
  /// class is done to both.
  enum class Child : bool { any, copy };
  /// @param owner  the expression whose children are looked at
  ChildFlow(SourceIndex& index, ChildDemands& demands, std::string owner, Child child)
      : index_(index), demands_(demands), owner_(std::move(owner)), is_copy_(child == Child::copy) {
  }

  /// An expression has a value in code that runs in any case. @throws Noticed
  void pass_on(const Node& expression, const ChildValue& value);
  /// A function is called with the child: `net.apply(function)`. @throws Noticed
  void call_with_child(const Node& function);

private:
  enum class Truth { no, yes, unknown };
  enum class Flow { continues, ends };
  using Variables = std::map<std::string, ChildValue, std::less<>>;

  /// Code that runs once more for the child.
  struct Turn {
    Node code;             ///< a loop's body, a comprehension, or a whole function
    bool function = false; ///< all that it assigns is its own
    int loops = 0;         ///< around the statement, in it
    Variables variables = {};
    std::optional<ChildValue> returned = {};
    std::optional<ChildValue> yielded = {};
  };

  // child_uses.cpp: what becomes of a value in code that runs in any case
  void pass_to_call(const Node& argument, const Node& call, const ChildValue& value);
  void pass_to_functions(const Node& argument, const Node& call, const ChildValue& value);
  void pass_method(const Node& attribute, const ChildValue& value);
  void pass_through_loop(const Node& loop, const ChildValue& value);
  void pass_through_comprehension(const Node& clause, const ChildValue& value);
  void pass_to_callers(const Node& statement, const ChildValue& value);
  void pass_spread(const Node& spread, const ChildValue& value);
  void pass_numbered(const Node& call, const ChildValue& value);
  void ask_whether_any(const Node& expression);
  void track(const Node& target, const ChildValue& value);
  void track_in(const Node& scope, std::string_view name, std::size_t from,
                const ChildValue& value);

  // child_turn.cpp: statements of its turn
  Flow run(const Node& statement, Turn& turn);
  void run_expression(const Node& expression, Turn& turn);
  Flow run_block(const Node& block, Turn& turn);
  Flow run_branch(const Node& block, Truth truth, Turn& turn);
  Flow run_if(const Node& statement, Turn& turn);
  void run_loop(const Node& statement, Turn& turn);
  void run_try(const Node& statement, Turn& turn);
  void bind(const Node& target, const ChildValue& value, Turn& turn);
  void assign(const Node& target, const ChildValue& value, Turn& turn);
  bool changes_both(const Node& target, const ChildValue& value, Turn& turn);
  void leak(const Node& target, const ChildValue& value, Turn& turn);

  // child_values.cpp: expressions of its turn
  ChildValue value_of(const Node& expression, Turn& turn);
  ChildValue value_of_parts(const Node& expression, Turn& turn);
  ChildValue value_of_attribute(const Node& attribute, Turn& turn);
  ChildValue value_of_call(const Node& call, Turn& turn);
  ChildValue value_of_method(const Node& call, Turn& turn);
  ChildValue value_of_builtin(const Node& call, Turn& turn);
  ChildValue value_of_comprehension(const Node& comprehension, Turn& turn);
  ChildValue element_of(const Node& iterable, Turn& turn, bool& none);
  std::optional<ChildValue> call_function(const Node& call, Turn& turn);
  ChildValue run_function(const Node& function, const Variables& arguments);
  void give_module(const Node& call, Turn& turn);

  // child_conditions.cpp: conditions of its turn
  Truth holds(const Node& condition, Turn& turn);
  Truth compare(const Node& comparison, Turn& turn);
  Truth holds_call(const Node& call, Turn& turn);
  Truth compare_name(const ChildValue& name, std::string_view how, const Node& other);
  Truth compare_text(const ChildValue& name, std::string_view how, const std::string& text);
  Truth is_instance(const Node& call, Turn& turn);
  bool note_types(const Node& types);
  Truth has_attribute(const Node& text);

  bool is_owner(const Node& expression) const;
  /// Whether what is done here is done to a copy as to what it is a copy of.
  bool is_done_to_both() const { return is_copy_ && !is_picked_; }

  SourceIndex& index_;
  ChildDemands& demands_;
  std::string owner_;
  bool is_copy_;
  bool is_picked_ = false; ///< a copy by its name, unlike what it is a copy of
  std::set<std::tuple<const std::string*, NodeKey, std::string>>
      passed_;                                               ///< expressions, and shapes
  std::set<std::pair<const std::string*, NodeKey>> running_; ///< functions, in files
};

} // namespace model_validator::fixes
