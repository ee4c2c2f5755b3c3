#include "fixes/child_flow.h"
#include "fixes/child_words.h"
#include "fixes/scope.h"

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
  if (one.kind == other.kind) return one;
  return {Kind::derived};
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
  } else if (type == "delete_statement") {
    if (!statement.children().front().is("identifier")) throw Noticed{statement};
  } else if (type == "if_statement") {
    return run_if(statement, turn);
  } else if (type == "for_statement" || type == "while_statement") {
    run_loop(statement, turn);
  } else if (type == "with_statement") {
    for (const Node& item : all_of(statement.children().front(), "with_item"))
      value_of(item.field("value"), turn);
    return run_block(statement.field("body"), turn);
  } else if (type == "try_statement") {
    run_try(statement, turn);
  } else if (type == "continue_statement") {
    return Flow::ends;
  } else if (type == "break_statement") {
    if (turn.loops == 0) throw Noticed{statement};
  } else if (type == "return_statement") {
    if (!turn.function) throw Noticed{statement};
    const Value value =
        statement.children().empty() ? Value() : value_of(statement.children().front(), turn);
    turn.returned = turn.returned ? joined(*turn.returned, value) : value;
    return Flow::ends;
  } else if (type == "assert_statement") {
    if (holds(statement.children().front(), turn) == Truth::no) throw Noticed{statement};
  } else if (type == "function_definition" || type == "decorated_definition") {
    for (const Node& each : all_of(statement, "identifier"))
      if (turn.variables.count(each.text()) != 0) throw Noticed{statement};
  } else if (type != "pass_statement" && !type.starts_with("import") &&
             type != "global_statement" && type != "nonlocal_statement") {
    throw Noticed{statement};
  }
  return Flow::continues;
}

void ChildFlow::run_expression(const Node& expression, Turn& turn) {
  if (expression.is("assignment")) {
    Node right = expression.field("right");
    while (right.is("assignment")) right = right.field("right");
    const Value value = value_of(right, turn);
    for (Node each = expression; each.is("assignment"); each = each.field("right"))
      if (each.field("right")) assign(each.field("left"), value, turn);
  } else if (expression.is("augmented_assignment")) {
    const Value value = value_of(expression.field("right"), turn);
    const Node target = expression.field("left");
    if (value.is(Kind::empty)) return;
    if (!target.is("identifier")) throw Noticed{expression};
    if (!turn.function) leak(target, {Kind::derived}, turn);
    turn.variables.insert_or_assign(std::string(target.text()), Value{Kind::derived});
  } else {
    value_of(expression, turn);
  }
}

/// A branch that would fail for a module without weights is not meant for one.
ChildFlow::Flow ChildFlow::run_branch(const Node& block, Truth truth, Turn& turn) {
  const Variables before = turn.variables;
  try {
    return run_block(block, turn);
  } catch (const Fails&) {
    if (truth != Truth::unknown) throw;
    turn.variables = before;
    return Flow::continues;
  }
}

/// A branch that may be taken is. What it assigns may be so afterwards.
ChildFlow::Flow ChildFlow::run_if(const Node& statement, Turn& turn) {
  const Truth truth = holds(statement.field("condition"), turn);
  Flow then = Flow::ends;
  Flow otherwise = Flow::ends;
  const Variables before = turn.variables;
  if (truth != Truth::no) then = run_branch(statement.field("consequence"), truth, turn);
  if (truth == Truth::yes) return then;
  Variables after = before;
  std::swap(turn.variables, after);
  otherwise = Flow::continues;
  for (const Node& clause : statement.children()) {
    if (clause.is("else_clause")) otherwise = run_block(clause.field("body"), turn);
    if (!clause.is("elif_clause")) continue;
    const Truth here = holds(clause.field("condition"), turn);
    if (here == Truth::no) continue;
    otherwise = run_branch(clause.field("consequence"), here, turn);
    if (here == Truth::yes) break;
    otherwise = Flow::continues;
  }
  if (truth == Truth::no) return otherwise;
  for (const auto& [name, value] : after) {
    const auto [known, fresh] = turn.variables.try_emplace(name, value);
    if (!fresh) known->second = joined(known->second, value);
  }
  return then == Flow::ends ? otherwise : Flow::continues;
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
  ++turn.loops;
  run_block(statement.field("body"), turn);
  --turn.loops;
}

void ChildFlow::run_try(const Node& statement, Turn& turn) {
  run_block(statement.field("body"), turn);
  for (const Node& clause : statement.children())
    if (clause.is("except_clause") || clause.is("else_clause") || clause.is("finally_clause"))
      for (const Node& block : clause.children())
        if (block.is("block")) run_block(block, turn);
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
    bind(names[i], matches ? value.parts[i] : Value{value.tracked() ? Kind::derived : Kind::plain},
         turn);
}

void ChildFlow::assign(const Node& target, const Value& value, Turn& turn) {
  if (target.is("identifier")) {
    if (!turn.function && is_read_elsewhere(target, turn.code)) leak(target, value, turn);
    turn.variables.insert_or_assign(std::string(target.text()), value);
  } else if (target.is("pattern_list") || target.is("tuple_pattern")) {
    const auto names = target.children();
    const bool matches = value.is(Kind::tuple) && value.parts.size() == names.size();
    for (std::size_t i = 0; i < names.size(); ++i)
      assign(names[i],
             matches ? value.parts[i] : Value{value.tracked() ? Kind::derived : Kind::plain}, turn);
  } else if (is_done_to_both() && changes_both(target, value, turn)) {
    return;
  } else if (target.is("subscript") && target.field("subscript")) {
    const Value key = value_of(target.field("subscript"), turn);
    const Node mapping = target.field("value");
    if (!key.tracked()) throw Noticed{target};
    if (turn.variables.count(mapping.text()) != 0)
      turn.variables.insert_or_assign(std::string(mapping.text()),
                                      Value{Kind::mapping, {key, value}});
    else if (turn.function)
      throw Noticed{target};
    else
      track(mapping, {Kind::mapping, {key, value}});
  } else if (target.is("attribute") && target.field("attribute").text() == "training" &&
             value.is(Kind::mode) && value_of(target.field("object"), turn).is(Kind::child)) {
    return; // it is given back what it had
  } else {
    throw Noticed{target};
  }
}

/// `m.inplace = False`, or `net._modules[name] = nn.SiLU()`.
bool ChildFlow::changes_both(const Node& target, const Value& value, Turn& turn) {
  if (target.is("attribute"))
    return !value.tracked() && value_of(target.field("object"), turn).is(Kind::child);
  const Node modules = target.field("value");
  return value.is(Kind::fresh) && modules.field("attribute").text() == "_modules" &&
         is_owner(modules.field("object")) &&
         value_of(target.field("subscript"), turn).is(Kind::name);
}

/// A variable is left behind that other code reads.
void ChildFlow::leak(const Node& target, const Value& value, Turn& turn) {
  if (turn.variables.count(target.text()) != 0) return; // it is the turn's own, and set in each
  track(target, value.tracked() ? value : Value{Kind::derived});
}

} // namespace model_validator::fixes
