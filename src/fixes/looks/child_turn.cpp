#include "fixes/looks/child_flow.h"
#include "fixes/looks/child_words.h"
#include "fixes/python/scope.h"

namespace model_validator::fixes {
namespace {

using Value = ChildValue;
using Kind = Value::Kind;

/// Whether code outside the turn, or in the next one, may read a variable that is assigned in it.
bool is_read_elsewhere(const Node& target, const Node& code) {
  bool within = false, after = false;
  for (const Node& use : scope_of(target).identifiers(target.text())) {
    if (is_named_field(use)) continue;
    bool& known = code.contains(use) ? within : after;
    if (known || use.begin() < code.begin()) continue;
    if (is_read(use)) return true;
    known = true; // it is set again first
  }
  return false;
}

Value joined(const Value& one, const Value& other) {
  return one.kind == other.kind ? one : Value();
}

/// Whether a variable is only ever given containers that code fills.
bool is_made_container(const Node& variable) {
  for (const Node& each : scope_of(variable).all("assignment"))
    if (each.field("left").text() == variable.text() && is_container_of_torch(each.field("right")))
      return true;
  return false;
}

/// Whether a function that takes the place of a `forward` gives back what that gives.
bool only_watches(const Node& name) {
  for (const Node& function : scope_of(name).all("function_definition")) {
    if (name_of(function) != name.text()) continue;
    std::set<std::string_view> given;
    for (const Node& each : function.all("assignment"))
      if (called_name(each.field("right")).find("forward") != std::string_view::npos)
        given.insert(each.field("left").text());
    const auto returns = function.all("return_statement");
    return !returns.empty() && std::all_of(returns.begin(), returns.end(), [&](const Node& each) {
      return !each.children().empty() && given.count(each.children().front().text()) != 0;
    });
  }
  return false;
}

} // namespace

ChildFlow::Flow ChildFlow::run_block(const Node& block, Turn& turn) {
  for (const Node& statement : block.children())
    if (run(statement, turn) == Flow::ends) return Flow::ends;
  return Flow::continues;
}

ChildFlow::Flow ChildFlow::run(const Node& statement, Turn& turn) {
  const std::string_view type = statement.type();
  if (type == "expression_statement") {
    for (const Node& each : statement.children()) run_expression(each, turn);
  } else if (type == "if_statement") {
    return run_if(statement, turn);
  } else if (type == "for_statement" || type == "while_statement") {
    run_loop(statement, turn);
  } else if (type == "with_statement") {
    for (const Node& item : statement.children().front().all("with_item"))
      value_of(item.field("value"), turn);
    return run_block(statement.field("body"), turn);
  } else if (type == "try_statement") {
    run_try(statement, turn);
  } else if (type == "match_statement") {
    run_match(statement, turn);
  } else if (type == "delete_statement") {
    for (const Node& each : statement.all("subscript"))
      if (is_children(each.field("value")))
        give_module({}, value_of(each.field("subscript"), turn), {}, statement);
  } else if (type == "continue_statement") {
    return Flow::ends;
  } else if (type == "break_statement") {
    if (turn.loops == 0) end(statement, turn);
  } else if (type == "return_statement") {
    const Value value =
        statement.children().empty() ? Value() : value_of(statement.children().front(), turn);
    if (!turn.function) end(statement, turn);
    turn.returned = turn.returned ? joined(*turn.returned, value) : value;
    return Flow::ends;
  } else if (type == "raise_statement") {
    end(statement, turn);
    return Flow::ends;
  } else if (type == "assert_statement") {
    if (holds(statement.children().front(), turn) == Truth::no) end(statement, turn);
  }
  return Flow::continues;
}

/// What surely runs for it, and ends what runs for the others.
void ChildFlow::end(const Node& statement, const Turn& turn) {
  if (!turn.doubtful) throw Noticed{statement};
}

void ChildFlow::run_expression(const Node& expression, Turn& turn) {
  if (expression.is("assignment")) {
    Node right = expression.field("right");
    while (right.is("assignment")) right = right.field("right");
    if (right.is("binary_operator") &&
        right.field("left").text() == expression.field("left").text())
      return count(expression, right.field("right"), turn); // `n = n + 1`
    const Value value = value_of(right, turn);
    for (Node each = expression; each.is("assignment"); each = each.field("right"))
      if (each.field("right")) assign(each.field("left"), value, right, turn);
  } else if (expression.is("augmented_assignment")) {
    count(expression, expression.field("right"), turn);
  } else {
    value_of(expression, turn);
  }
}

/// `n += 1`, `rate *= decay`: what does not come from the child, or is how many there are.
void ChildFlow::count(const Node& statement, const Node& right, Turn& turn) {
  const Node target = statement.field("left");
  const Value value = value_of(right, turn);
  if (right.is("list") || right.is("tuple")) return grow(target, "append", {}, turn);
  if (value.is(Kind::many)) return grow(target, "extend", value, turn);
  const auto comes_from_it = [&](const Node& each) {
    return turn.variables.count(each.text()) != 0 && each.text() != target.text();
  };
  auto names = right.all("identifier");
  for (const Node& each : target.field("subscript").all("identifier")) names.push_back(each);
  const bool is_text = right.is("string") || right.is("concatenated_string");
  const bool is_its_own = std::any_of(names.begin(), names.end(), comes_from_it);
  if (value.is(Kind::empty) || is_text || (is_its_own && !value.is(Kind::truth))) return;
  const bool is_own = turn.function && target.is("identifier") && is_assigned_in_its_scope(target);
  if (turn.doubtful) return;
  const Node counter = target.is("subscript") ? target.field("value") : target;
  if (!is_own && turn.variables.count(counter.text()) == 0) track(counter, {Kind::other});
}

/// A branch that may be taken is. What it assigns may be so afterwards.
ChildFlow::Flow ChildFlow::run_if(const Node& statement, Turn& turn) {
  const Truth truth = holds(statement.field("condition"), turn);
  const bool before = turn.doubtful;
  turn.doubtful = before || truth == Truth::unknown;
  if (truth == Truth::yes) return run_block(statement.field("consequence"), turn);
  if (truth == Truth::no) return run_clauses(statement, turn);
  Variables after = turn.variables;
  std::swap(turn.variables, after);
  const Flow then = run_block(statement.field("consequence"), turn);
  std::swap(turn.variables, after);
  const Flow otherwise = run_clauses(statement, turn);
  for (const auto& [name, value] : after) {
    const auto [known, fresh] = turn.variables.try_emplace(name, value);
    if (!fresh) known->second = joined(known->second, value);
  }
  turn.doubtful = before || then != otherwise;
  return then == Flow::ends ? otherwise : Flow::continues;
}

/// `case nn.ReLU():`
void ChildFlow::run_match(const Node& statement, Turn& turn) {
  const bool is_child = value_of(statement.field("subject"), turn).is(Kind::child);
  const bool before = turn.doubtful;
  turn.doubtful = true;
  for (const Node& clause : statement.all("case_clause")) {
    std::string_view pattern = clause.children().front().text();
    pattern = pattern.substr(0, pattern.find('('));
    pattern = pattern.substr(pattern.rfind('.') + 1);
    if (!is_child || pattern == "_" || is_of(pattern)) run_block(clause.field("consequence"), turn);
  }
  turn.doubtful = before;
}

/// `elif` and `else`.
ChildFlow::Flow ChildFlow::run_clauses(const Node& statement, Turn& turn) {
  const bool before = turn.doubtful;
  Flow flow = Flow::continues;
  for (const Node& clause : statement.children()) {
    if (clause.is("else_clause")) flow = run_block(clause.field("body"), turn);
    if (!clause.is("elif_clause")) continue;
    const Truth truth = holds(clause.field("condition"), turn);
    if (truth == Truth::no) continue;
    turn.doubtful = turn.doubtful || truth == Truth::unknown;
    flow = run_block(clause.field("consequence"), turn);
    if (truth == Truth::yes) break;
    flow = Flow::continues;
  }
  turn.doubtful = before;
  return flow;
}

void ChildFlow::run_loop(const Node& statement, Turn& turn) {
  if (statement.is("for_statement")) {
    bool none = false;
    const Value element = element_of(statement.field("right"), turn, none);
    if (none) return;
    bind(statement.field("left"), element, turn);
  } else if (holds(statement.field("condition"), turn) == Truth::no) {
    return;
  }
  const bool before = turn.doubtful;
  turn.doubtful = true; // it may run for nothing
  ++turn.loops;
  run_block(statement.field("body"), turn);
  --turn.loops;
  turn.doubtful = before;
}

void ChildFlow::run_try(const Node& statement, Turn& turn) {
  const bool before = turn.doubtful;
  turn.doubtful = true; // what fails there is caught
  run_block(statement.field("body"), turn);
  for (const Node& clause : statement.children())
    if (clause.is("except_clause") || clause.is("else_clause") || clause.is("finally_clause"))
      for (const Node& block : clause.children())
        if (block.is("block")) run_block(block, turn);
  turn.doubtful = before;
}

/// What a loop or a comprehension calls it.
void ChildFlow::bind(const Node& target, const Value& value, Turn& turn) {
  if (target.is("identifier")) {
    turn.variables.insert_or_assign(std::string(target.text()), value);
    return;
  }
  const auto names = target.children();
  const bool matches = value.is(Kind::tuple) && value.parts.size() == names.size();
  for (std::size_t i = 0; i < names.size(); ++i)
    bind(names[i], matches ? value.parts[i] : Value(), turn);
}

void ChildFlow::assign(const Node& target, const Value& value, const Node& given, Turn& turn) {
  if (target.is("identifier")) {
    const bool leaves = !turn.function && !turn.doubtful && value.tracked() &&
                        turn.variables.count(target.text()) == 0;
    // `n = number(child, n)` is not its own.
    const auto from = given.all("identifier");
    if (!turn.function && value.is(Kind::plain) &&
        std::any_of(from.begin(), from.end(),
                    [&](const Node& each) { return each.text() == target.text(); }))
      return;
    if (leaves && is_read_elsewhere(target, turn.code))
      track(target, value.is(Kind::many) ? value : Value{Kind::other});
    turn.variables.insert_or_assign(std::string(target.text()), value);
  } else if (target.is("pattern_list") || target.is("tuple_pattern")) {
    const auto names = target.children();
    if (value.is(Kind::many)) throw Noticed{target};
    const bool matches = value.is(Kind::tuple) && value.parts.size() == names.size();
    for (std::size_t i = 0; i < names.size(); ++i)
      assign(names[i],
             matches           ? value.parts[i]
             : value.is_text() ? Value{Kind::path}
                               : Value(),
             given, turn);
  } else if (target.is("subscript")) {
    const Value key = value_of(target.field("subscript"), turn);
    const Node mapping = target.field("value");
    const bool is_numbered = given.text().find("len(" + std::string(mapping.text()) + ")") == 0;
    if (is_children(mapping))
      give_module(mapping.field("object"), key, value, target);
    else if (key.is(Kind::other) || is_numbered)
      throw Noticed{target};
    else if (turn.variables.count(mapping.text()) != 0)
      turn.variables.insert_or_assign(std::string(mapping.text()),
                                      Value{Kind::mapping, {key, value}});
    else if (key.tracked() && !turn.function)
      track(mapping, {Kind::mapping, {key, value}, false, turn.doubtful});
  } else if (target.is("attribute") && value_of(target.field("object"), turn).is(Kind::child)) {
    set_attribute(target, target.field("attribute").text(), value, given);
  }
}

/// Which changes what it computes. `m.inplace = False` does so to both of two alike.
void ChildFlow::set_attribute(const Node& where, std::string_view name, const Value& value,
                              const Node& given) {
  constexpr std::array runs = {"forward", "__class__", "__call__", "_call_impl"};
  if (value.is(Kind::own) || (name == "forward" && only_watches(given))) return;
  if (contains(runs, name) || (name == "training" && depends_on_mode()) ||
      (!is_done_to_both() && has(name)))
    throw Noticed{where};
}

/// `setattr(parent, name, child)`, where the child may be what was there.
void ChildFlow::give_module(const Node& parent, const Value& name, const Value& given,
                            const Node& where) {
  if (given.is(Kind::fresh)) return;
  if (given.is(Kind::child) ? parent.is("identifier") && is_made_container(parent)
                            : name.is(Kind::name) || name.is(Kind::path))
    throw Noticed{where};
}

} // namespace model_validator::fixes
