#include "fixes/child_flow.h"
#include "fixes/child_words.h"
#include "fixes/function_references.h"
#include "fixes/scope.h"

#include <algorithm>
#include <array>

namespace model_validator::fixes {
namespace {

using Value = ChildValue;
using Kind = Value::Kind;

constexpr std::array same_order = {"list", "tuple",     "reversed", "iter",
                                   "set",  "frozenset", "deque",    "sorted"};
constexpr std::array mappings = {"dict", "OrderedDict"};
constexpr std::array summaries = {"len", "str", "repr", "sum", "any", "all", "max", "min"};
/// They keep the collection, or change it alike.
constexpr std::array adds_to = {"append", "add", "remove", "discard",
                                "sort",   "pop", "clear",  "setdefault"};
constexpr std::size_t max_callers = 30;
constexpr std::size_t max_passed = 3000;

bool is_in_condition(const Node& expression) {
  Node inside = expression;
  Node around = inside.parent();
  while (around.is("boolean_operator") || around.is("not_operator") ||
         around.is("parenthesized_expression")) {
    inside = around;
    around = inside.parent();
  }
  if (around.is("conditional_expression")) return around.children()[1] == inside;
  return around.is("assert_statement") || around.is("if_clause") ||
         around.field("condition") == inside ||
         (around.is("argument_list") && called_name(around.parent()) == "bool");
}

/// Whether the value is only asked whether it is empty: `if x`, `len(x) > 0`.
bool asks_for_any(const Node& expression) {
  if (is_in_condition(expression)) return true;
  const Node around = expression.parent();
  if (!around.is("comparison_operator") || around.children().size() != 2) return false;
  const Node other = around.children()[around.children().front() == expression ? 1 : 0];
  return other.text() == "0" || other.is("none");
}

/// Whether a value only becomes a part of what people are told.
bool is_shown(const Node& expression) {
  for (Node call = expression.around("call"); call; call = call.around("call"))
    if (is_output(call)) return true;
  return false;
}

/// Whether a value is `*children`. In a list, the grammar takes the star for a part of the call.
bool is_spread(const Node& expression) {
  return expression.parent().is("list_splat") || expression.text().starts_with('*');
}

/// Values of one shape go the same ways.
std::string shape_of(const Value& value) {
  std::string shape(1, static_cast<char>('a' + static_cast<int>(value.kind)));
  for (const Value& part : value.parts) shape += shape_of(part);
  return shape + '.';
}

} // namespace

void ChildFlow::ask_whether_any(const Node& expression) {
  if (!asks_for_any(expression)) throw Noticed{expression};
  demands_.sibling = true;
}

void ChildFlow::pass_on(const Node& node, const Value& value) {
  if (!value.tracked() || value.is(Kind::empty)) return;
  if (!passed_.emplace(&node.source(), node.key(), shape_of(value)).second) return;
  if (passed_.size() > max_passed) throw Noticed{node};
  const Node around = node.parent();
  const bool many = value.is(Kind::many) || value.is(Kind::mapping);
  if (is_spread(node)) return pass_spread(around.is("list_splat") ? around : node, value);
  if (around.is("expression_statement") || around.is("block") || around.is("module")) return;
  if (around.is("argument_list")) return pass_to_call(node, around.parent(), value);
  if (around.is("call")) return pass_to_call(node, around, value); // of a generator
  if (around.is("keyword_argument")) return pass_to_call(around, around.parent().parent(), value);
  if (around.is("parenthesized_expression") || around.is("conditional_expression"))
    return is_in_condition(node) ? ask_whether_any(node) : pass_on(around, value);
  if (around.is("for_statement") && around.field("right") == node)
    return pass_through_loop(around, value);
  if (around.is("for_in_clause") && around.field("right") == node)
    return pass_through_comprehension(around, value);
  if (around.is("attribute") && many) return pass_method(around, value);
  if (around.is("subscript") && around.field("value") == node && value.is(Kind::mapping)) return;
  if (around.is("comparison_operator") && many && around.children().back() == node &&
      !(around.children().front() == node) && is_membership(around))
    return;
  if (around.is("assignment") && around.field("right") == node)
    return track(around.field("left"), value);
  if (around.is("named_expression")) {
    track(around.field("name"), value);
    return pass_on(around, value);
  }
  if (around.is("augmented_assignment")) return track(around.field("left"), value);
  if (around.is("return_statement") || around.is("yield")) return pass_to_callers(around, value);
  if (around.is("interpolation")) {
    const Node text = around.parent();
    return pass_on(text, {Kind::derived});
  }
  if (around.is("concatenated_string") || (around.is("binary_operator") && !many))
    return pass_on(around, {Kind::derived});
  ask_whether_any(node);
}

/// `[*children]` is a list of the same.
void ChildFlow::pass_spread(const Node& spread, const Value& value) {
  const Node list = spread.parent();
  if (list.children().size() == 1 &&
      (list.is("list") || (list.is("argument_list") && is_output(list.parent()))))
    return list.is("list") ? pass_on(list, value) : void();
  throw Noticed{spread};
}

void ChildFlow::pass_to_call(const Node& argument, const Node& call, const Value& value) {
  const std::string name(called_name(call));
  const Node callee = call.field("function");
  const bool bare = callee.is("identifier");
  const bool many = value.is(Kind::many);
  if (is_output(call)) return;
  const bool of_all = many || value.is(Kind::mapping);
  if (bare && of_all && (name == "isinstance" || name == "id" || name == "type")) return;
  if (bare && name == "bool") return ask_whether_any(argument);
  if (bare && many && contains(same_order, name)) return pass_on(call, value);
  if (bare && value.is(Kind::mapping) && contains(same_order, name))
    return pass_on(call, {Kind::many, {value.parts.front()}});
  if (bare && many && name == "enumerate") return pass_numbered(call, value);
  if (contains(mappings, name) &&
      (value.is(Kind::mapping) || (many && value.parts.front().is(Kind::tuple))))
    return pass_on(call, {Kind::mapping, value.parts.front().parts});
  if (bare && name == "next" && call.field("arguments").children().size() == 2)
    return ask_whether_any(call);
  if (bare && contains(summaries, name)) return pass_on(call, {Kind::derived});
  if (callee.is("attribute") && name == "issubset") return;
  if (callee.is("attribute") && (name == "join" || name == "format"))
    return pass_on(call, {Kind::derived});
  if (callee.is("attribute") && many && (name == "extend" || name == "update"))
    return track(callee.field("object"), value);
  pass_to_functions(argument, call, value);
}

/// The numbers of all that come behind the child are others: they may only be shown.
void ChildFlow::pass_numbered(const Node& call, const Value& value) {
  const Node loop = call.parent();
  const auto names = loop.field("left").children();
  if (!(loop.field("right") == call) || names.empty()) throw Noticed{call};
  const Node code = loop.is("for_in_clause") ? loop.parent() : loop.field("body");
  for (const Node& use : all_of(code, "identifier"))
    if (use.text() == names.front().text() && is_read(use) && !is_shown(use)) throw Noticed{use};
  pass_on(call, {Kind::many, {{Kind::tuple, {{Kind::derived}, value.parts.front()}}}});
}

void ChildFlow::pass_to_functions(const Node& argument, const Node& call, const Value& value) {
  const auto functions = functions_named_by(call.field("function"), index_);
  if (functions.empty()) throw Noticed{argument};
  for (const Node& function : functions) {
    const std::string parameter = parameter_for(argument, call, function);
    if (parameter.empty()) throw Noticed{argument};
    track_in(function, parameter, 0, value);
  }
}

/// Of a collection: `children.append`, `modules.items()`.
void ChildFlow::pass_method(const Node& attribute, const Value& value) {
  const std::string_view name = attribute.field("attribute").text();
  const Node call = attribute.parent();
  if (!call.is("call") || !(call.field("function") == attribute)) throw Noticed{attribute};
  if (name == "copy") return pass_on(call, value);
  if (contains(adds_to, name) && (value.is(Kind::mapping) || name != "pop")) return;
  if (value.is(Kind::many)) throw Noticed{attribute};
  if (name == "get") return;
  if (name == "items") return pass_on(call, {Kind::many, {{Kind::tuple, value.parts}}});
  if (name == "keys") return pass_on(call, {Kind::many, {value.parts.front()}});
  if (name == "values") return pass_on(call, {Kind::many, {value.parts.back()}});
  throw Noticed{attribute};
}

void ChildFlow::pass_through_loop(const Node& loop, const Value& value) {
  if (!value.is(Kind::many) && !value.is(Kind::mapping)) throw Noticed{loop.field("right")};
  Turn turn{loop.field("body")};
  // What a loop leaves behind, unless it breaks where it is found.
  for (const Node& name : all_of(loop.field("left"), "identifier"))
    if (all_of(turn.code, "break_statement").empty() && is_read_next(name, loop))
      track_in(scope_of(loop), name.text(), loop.end(), {Kind::derived});
  bind(loop.field("left"), value.parts.front(), turn);
  run_block(turn.code, turn);
  if (turn.yielded) pass_to_callers(loop, {Kind::many, {*turn.yielded}});
}

void ChildFlow::pass_through_comprehension(const Node& clause, const Value& value) {
  if (!value.is(Kind::many) && !value.is(Kind::mapping)) throw Noticed{clause.field("right")};
  const Node comprehension = clause.parent();
  Turn turn{comprehension};
  bool after = false;
  for (const Node& each : comprehension.children()) {
    if (each == clause) {
      bind(each.field("left"), value.parts.front(), turn);
      after = true;
    } else if (after && each.is("if_clause")) {
      if (holds(each.children().front(), turn) == Truth::no) return;
    } else if (after && each.is("for_in_clause")) {
      bool none = false;
      const Value element = element_of(each.field("right"), turn, none);
      if (none) return;
      bind(each.field("left"), element, turn);
    }
  }
  const Node body = comprehension.field("body");
  const std::string_view judge =
      comprehension.parent().is("call") ? called_name(comprehension.parent()) : "";
  if (((judge == "any" || judge == "sum") && holds(body, turn) == Truth::no) ||
      (judge == "all" && holds(body, turn) == Truth::yes))
    return;
  if (comprehension.is("dictionary_comprehension"))
    return pass_on(
        comprehension,
        {Kind::mapping, {value_of(body.field("key"), turn), value_of(body.field("value"), turn)}});
  pass_on(comprehension, {Kind::many, {value_of(body, turn)}});
}

/// What a function returns, or yields, goes where it is called.
void ChildFlow::pass_to_callers(const Node& statement, const Value& value) {
  const Node function = statement.around("function_definition");
  const std::string name = function ? name_of(function) : std::string();
  if (name.empty() || name.starts_with("__")) throw Noticed{statement};
  std::size_t callers = 0;
  for (const Node& use : index_.uses_of(name)) {
    Node callee = use;
    if (is_named_field(use) && use.parent().is("attribute")) callee = use.parent();
    const Node call = callee.parent();
    if (!call.is("call") || !(call.field("function") == callee) || !may_name(use, function, index_))
      continue;
    if (++callers > max_callers) throw Noticed{statement};
    pass_on(call, value);
  }
  if (callers == 0) throw Noticed{statement};
}

void ChildFlow::track(const Node& target, const Value& value) {
  if (!target.is("identifier") || !is_assigned_in_its_scope(target)) throw Noticed{target};
  track_in(scope_of(target), target.text(), target.begin(), value);
}

/// Everything that reads a variable is given the value, if it may run after it was assigned.
void ChildFlow::track_in(const Node& scope, std::string_view name, std::size_t from,
                         const Value& value) {
  std::size_t first = from;
  for (const Node& loop : all_of(scope, "for_statement"))
    if (loop.begin() < from && from < loop.end()) first = std::min(first, loop.begin());
  const Node body = scope.is("function_definition") ? scope.field("body") : scope;
  for (const Node& use : body.identifiers(name))
    if (use.begin() >= first && is_read(use)) pass_on(use, value);
}

} // namespace model_validator::fixes
