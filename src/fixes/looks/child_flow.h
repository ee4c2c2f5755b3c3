#pragma once

#include "fixes/python/imports.h"
#include "fixes/python/python_tree.h"
#include "fixes/python/source_index.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace model_validator::fixes {

/// A child that an edit adds.
struct NewChild {
  std::string type;        ///< the last name of its class
  std::string name;        ///< of the attribute
  bool is_list = false;    ///< a list of such modules
  bool is_first = false;   ///< of the children of its class
  std::string copied = {}; ///< the attribute that it is a copy of, if any
  bool in_part = false;    ///< its class is only made as a part of others
};

/// A value in code, as far as it comes from the new child.
struct ChildValue {
  enum class Kind {
    plain, ///< does not, or is not followed
    child, ///< the module
    name,  ///< in what holds it
    path,  ///< from the network's root, or another text that is made of its name
    type,  ///< its class
    type_name,
    tuple,   ///< `parts` in order
    many,    ///< in an order, with all others; each is `parts[0]`
    mapping, ///< of `parts[0]` to `parts[1]`
    empty,   ///< its weights, say, of which it has none, and what is false of it
    truth,   ///< what is true of it
    fresh,   ///< a new module in its place that does the same
    own,     ///< its `forward`, or its mode
    other,   ///< differs with one child more: how many there are, or the last
  };
  Kind kind = Kind::plain;
  std::vector<ChildValue> parts = {};
  bool rooted = false; ///< the network itself comes first of many
  bool maybe = false;  ///< many, of which it may be one

  bool is(Kind other) const { return kind == other; }
  bool is_text() const { return is(Kind::name) || is(Kind::path) || is(Kind::type_name); }
  bool tracked() const { return kind != Kind::plain && kind != Kind::empty && kind != Kind::truth; }
};

/// Where code notices a new child. Thrown.
struct Noticed {
  Node where;
};

struct ChildAccess;

/// Follows a module that is one child more through the code that is given it: in its turn of a
/// loop, in what is collected, and in the functions that either is passed to, up to where it is
/// seen to make a difference. What is not followed makes none.
class ChildFlow {
public:
  /// What it asked the child for, so that another that answers the same goes the same way.
  struct Asked {
    bool type = false;
    bool name = false;
    bool order = false;
  };
  /// @param family  of the child's class, where it is the user's
  /// @param deep  whether code looks at all modules of a network
  ChildFlow(SourceIndex& index, const NewChild& child, const ClassFamily& family, bool deep)
      : index_(index), child_(child), family_(family), deep_(deep) {}

  /// Whether code that gets at it notices it.
  bool notices(const ChildAccess& access);
  const Asked& asked() const { return asked_; }

private:
  enum class Truth { no, yes, unknown };
  enum class Flow { continues, ends };
  using Variables = std::map<std::string, ChildValue, std::less<>>;

  /// Code that runs once more for the child.
  struct Turn {
    Node code;             ///< a loop's body, a comprehension, or a whole function
    bool function = false; ///< all that it assigns is its own
    bool doubtful = false; ///< whether the child comes here depends on what is not known
    int loops = 0;         ///< around the statement, in it
    Variables variables = {};
    std::optional<ChildValue> returned = {};
    std::optional<ChildValue> yielded = {};
  };

  // child_uses.cpp: what becomes of a value in code that runs in any case
  void pass_on(const Node& expression, const ChildValue& value);
  void pass_to_call(const Node& argument, const Node& call, const ChildValue& value);
  void pass_to_functions(const Node& argument, const Node& call, const ChildValue& value);
  void pass_method(const Node& attribute, const ChildValue& value);
  void pass_part(const Node& subscript, const ChildValue& value);
  void pass_through_loop(const Node& loop, const ChildValue& value);
  void pass_through_worklist(const Node& loop, const Node& list, const ChildValue& value);
  void read_outside(const Node& target, const ChildValue& value);
  void pass_through_comprehension(const Node& clause, const ChildValue& value);
  void pass_to_callers(const Node& statement, const ChildValue& value);
  void pass_spread(const Node& spread, const ChildValue& value);
  void pass_numbered(const Node& call, const ChildValue& value);
  void ask_whether_any(const Node& expression, const ChildValue& value);
  void track(const Node& target, const ChildValue& value);
  void track_in(const Node& scope, std::string_view name, std::size_t from,
                const ChildValue& value);
  void track_argument(const Node& function, std::string_view parameter, const ChildValue& value);

  // child_turn.cpp: statements of its turn
  Flow run(const Node& statement, Turn& turn);
  void run_expression(const Node& expression, Turn& turn);
  Flow run_block(const Node& block, Turn& turn);
  Flow run_if(const Node& statement, Turn& turn);
  void run_match(const Node& statement, Turn& turn);
  Flow run_clauses(const Node& statement, Turn& turn);
  void run_loop(const Node& statement, Turn& turn);
  void run_try(const Node& statement, Turn& turn);
  void count(const Node& statement, const Node& right, Turn& turn);
  void end(const Node& statement, const Turn& turn);
  void bind(const Node& target, const ChildValue& value, Turn& turn);
  void assign(const Node& target, const ChildValue& value, const Node& given, Turn& turn);
  void set_attribute(const Node& where, std::string_view name, const ChildValue& value,
                     const Node& given);
  void give_module(const Node& parent, const ChildValue& name, const ChildValue& given,
                   const Node& where);

  // child_values.cpp: expressions of its turn
  ChildValue value_of(const Node& expression, Turn& turn);
  ChildValue value_of_parts(const Node& expression, Turn& turn);
  ChildValue value_of_condition(const Node& condition, Turn& turn);
  ChildValue value_of_either(const Node& expression, Turn& turn);
  ChildValue value_of_attribute(const Node& attribute, Turn& turn);
  ChildValue value_of_call(const Node& call, Turn& turn);
  ChildValue value_of_method(const Node& call, Turn& turn);
  ChildValue value_of_own_method(const Node& call, Turn& turn);
  ChildValue value_of_builtin(const Node& call, const std::vector<ChildValue>& values, Turn& turn);
  bool run_parts(const Node& comprehension, std::size_t from, Turn& turn);
  ChildValue value_of_comprehension(const Node& comprehension, Turn& turn);
  std::vector<ChildValue> values_of(const Node& arguments, Turn& turn);
  ChildValue element_of(const Node& iterable, Turn& turn, bool& none);
  void grow(const Node& collection, std::string_view how, const ChildValue& value, Turn& turn);
  ChildValue call_function(const Node& call, const std::vector<ChildValue>& values, Turn& turn);
  ChildValue run_function(const Node& function, const Variables& arguments, bool doubtful);
  void call_with_child(const Node& function, bool doubtful);
  ChildValue fail(const Node& where, const Turn& turn);
  bool does_the_same(const Node& made);

  // child_conditions.cpp: conditions of its turn
  Truth holds(const Node& condition, Turn& turn);
  Truth compare(const Node& comparison, Turn& turn);
  Truth holds_call(const Node& call, Turn& turn);
  Truth compare_name(const ChildValue& name, std::string_view how, const Node& other);
  Truth matches_pattern(const ChildValue& name, const Node& pattern);
  Truth is_of(const Node& types);
  bool is_of(std::string_view type);
  bool is_written() const;
  bool has(std::string_view attribute);
  bool depends_on_mode();

  // child_hooks.cpp: functions that run when it does
  void hook(const Node& function);

  /// Whether what is done here is done to a copy as to what it is a copy of.
  bool is_done_to_both() const { return !child_.copied.empty() && !is_picked_; }

  SourceIndex& index_;
  const NewChild& child_;
  const ClassFamily& family_;
  bool deep_;
  Node module_; ///< whose children are looked at
  Asked asked_;
  bool is_picked_ = false; ///< a copy by its name, unlike what it is a copy of
  std::set<std::tuple<const std::string*, NodeKey, std::string>>
      passed_;                                               ///< expressions, and shapes
  std::set<std::pair<const std::string*, NodeKey>> running_; ///< functions, in files
};

} // namespace model_validator::fixes
