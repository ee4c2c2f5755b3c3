#include "fixes/looks/child_accesses.h"
#include "fixes/looks/child_flow.h"
#include "fixes/looks/child_words.h"
#include "fixes/looks/function_references.h"
#include "fixes/python/scope.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>

namespace model_validator::fixes {
namespace {

using Value = ChildValue;
using Kind = Value::Kind;

constexpr std::array same_order = {"list",  "tuple",  "reversed", "iter",
                                   "deque", "sorted", "chain",    "filter"};
constexpr std::array mappings = {"dict", "OrderedDict"};
/// They take some by their places.
constexpr std::array picks = {"islice", "zip", "zip_longest", "choice", "sample", "shuffle"};
/// They make a text of a number, for people.
constexpr std::array shows = {"str", "repr", "format", "tqdm", "trange"};
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
  return other.text() == "0" || (other.is("none") && expression.is("call"));
}

/// Whether a value only becomes a part of what people are told.
bool is_shown(const Node& expression) {
  if (expression.around("interpolation")) return true;
  for (Node call = expression.around("call"); call; call = call.around("call"))
    if (is_output(call) || contains(shows, called_name(call))) return true;
  return false;
}

/// Whether a value is `*children`. In a list, the grammar takes the star for a part of the call.
bool is_spread(const Node& expression) {
  return expression.parent().is("list_splat") || expression.text().starts_with('*');
}

/// Whether an expression is true whatever it yields.
bool is_generator(const Node& expression) {
  const Node call = expression.is("named_expression") ? expression.field("value") : expression;
  const std::string_view name = called_name(call);
  return call.is("call") && (name.ends_with("children") || name.ends_with("modules"));
}

/// Whether what is done with modules that have children, or have none, collects or hooks them.
bool takes_leaves(const Node& asked, std::string_view module) {
  const std::string own(module);
  if (const Node clause = asked.around("if_clause"))
    return clause.parent().field("body").text().find(own) != std::string_view::npos;
  const std::string_view code = asked.around("if_statement").text();
  for (const std::string& taken :
       {"append(" + own, "add(" + own, own + ".register_", "yield " + own, "[" + own + "]"})
    if (code.find(taken) != std::string_view::npos) return true;
  return false;
}

/// A collection of what another holds.
Value as(Kind kind, std::vector<Value> parts, const Value& other) {
  return {kind, std::move(parts), false, other.maybe};
}

/// Values of one shape go the same ways.
std::string shape_of(const Value& value) {
  std::string shape(1, static_cast<char>('a' + static_cast<int>(value.kind)));
  if (value.rooted) shape += '/';
  if (value.maybe) shape += '?';
  for (const Value& part : value.parts) shape += shape_of(part);
  return shape + '.';
}

} // namespace

bool ChildFlow::notices(const ChildAccess& access) {
  module_ = access.module;
  try {
    if (access.patched) return is_of(last_name_of(access.patched));
    if (access.hook)
      hook(access.hook);
    else if (access.function)
      call_with_child(access.function, false);
    else
      pass_on(access.expression, access.value);
  } catch (const Noticed&) {
    return true;
  }
  return access.shows_all;
}

/// Of a module that had none. Code for any module knows such with children and without, but may be
/// after those without.
void ChildFlow::ask_whether_any(const Node& expression, const Value& value) {
  if (value.rooted || value.maybe) return;
  asked_.order = true;
  const bool is_any = module_.is("identifier") && module_.text() != "self";
  if (child_.is_first && (!is_any || takes_leaves(expression, module_.text())))
    throw Noticed{expression};
}

void ChildFlow::pass_on(const Node& node, const Value& value) {
  if (!value.tracked()) return;
  if (!passed_.emplace(&node.source(), node.key(), shape_of(value)).second) return;
  if (passed_.size() > max_passed) return;
  const Node around = node.parent();
  const bool other = value.is(Kind::other);
  const bool many = value.is(Kind::many) || value.is(Kind::mapping);
  if (!(many || other) || is_shown(node)) return;
  if (is_spread(node)) return pass_spread(around.is("list_splat") ? around : node, value);
  if (around.is("argument_list")) return pass_to_call(node, around.parent(), value);
  if (around.is("call")) return pass_to_call(node, around, value); // of a generator
  if (around.is("keyword_argument")) return pass_to_call(around, around.parent().parent(), value);
  if (asks_for_any(node)) return is_generator(node) ? void() : ask_whether_any(node, value);
  if (around.is("parenthesized_expression") || around.is("conditional_expression") ||
      around.is("boolean_operator") || around.is("list_splat"))
    return pass_on(around, value);
  if (around.is("assignment") && around.field("right") == node)
    return track(around.field("left"), value);
  if (around.is("named_expression")) {
    track(around.field("name"), value);
    return pass_on(around, value);
  }
  if (around.is("augmented_assignment")) return track(around.field("left"), value);
  if (around.is("return_statement") || around.is("yield")) return pass_to_callers(around, value);
  if (around.is("subscript")) return pass_part(around, value);
  const Node compared = around.is("comparison_operator") ? around.children().back() : Node();
  if (compared.is("none") || compared.is("string")) return;
  if (around.is("comparison_operator") && (other || !is_membership(around))) throw Noticed{around};
  if (other && !around.is("expression_statement")) throw Noticed{node};
  if (!many) return;
  if (around.is("binary_operator") &&
      (around.field("left") == node || around.field("operator").text() != "-"))
    return pass_on(around, as(Kind::many, {value.parts.front()}, value));
  if (around.is("attribute")) return pass_method(around, value);
  if (around.is("for_statement") && around.field("right") == node)
    return pass_through_loop(around, value);
  if (around.is("for_in_clause") && around.field("right") == node)
    pass_through_comprehension(around, value);
}

/// The network itself stays the first of its modules, and what is searched is found.
void ChildFlow::pass_part(const Node& subscript, const Value& value) {
  const Node part = subscript.field("subscript");
  if (value.is(Kind::mapping)) return;
  const bool stays = value.rooted && (part.text() == "0" || part.text() == "1:");
  if (value.is(Kind::other) || !(stays || is_searched(part))) throw Noticed{subscript};
  if (part.is("slice")) pass_on(subscript, as(Kind::many, value.parts, value));
}

/// `[*children]` is a list of the same.
void ChildFlow::pass_spread(const Node& spread, const Value& value) {
  const Node list = spread.parent();
  if (list.is("argument_list")) {
    const std::string_view name = called_name(list.parent());
    if (name != "chain" && name != "union") throw Noticed{spread};
    return pass_on(list.parent(), {Kind::many, {{}}});
  }
  pass_on(list, value);
}

void ChildFlow::pass_to_call(const Node& argument, const Node& call, const Value& value) {
  const std::string name(called_name(call));
  const Node callee = call.field("function");
  const bool bare = callee.is("identifier");
  const bool many = value.is(Kind::many);
  if (value.is(Kind::other)) {
    const auto functions = functions_named_by(callee, index_);
    if (functions.empty()) throw Noticed{argument};
    return pass_to_functions(argument, call, value);
  }
  if (name == "isinstance" || name == "id" || name == "type") return;
  if (name == "bool") return ask_whether_any(argument, value);
  if (is_container_of_torch(call) || contains(picks, name)) throw Noticed{argument};
  const std::string full = index_.imports_of(call).resolve(callee.text());
  // It numbers its groups, or makes a tensor of so many.
  if (full.starts_with("torch.") && !full.starts_with("torch.nn.utils.")) throw Noticed{argument};
  if (many && name.ends_with("set"))
    return pass_on(call, as(Kind::mapping, {value.parts.front(), {}}, value));
  if (many && contains(same_order, name))
    return pass_on(call,
                   {Kind::many, value.parts, value.rooted && name != "reversed", value.maybe});
  if (value.is(Kind::mapping) && contains(same_order, name))
    return pass_on(call, as(Kind::many, {value.parts.front()}, value));
  if (many && name == "enumerate") return pass_numbered(call, value);
  if (many && bare && name == "map") {
    if (const Node function = call.field("arguments").children().front();
        value.parts.front().is(Kind::child))
      call_with_child(function, false);
    return pass_on(call, as(Kind::many, {{}}, value));
  }
  if (contains(mappings, name) && (value.is(Kind::mapping) || value.parts.front().is(Kind::tuple)))
    return pass_on(call,
                   as(Kind::mapping,
                      value.is(Kind::mapping) ? value.parts : value.parts.front().parts, value));
  if (bare && name == "next") {
    if (value.rooted) return;
    const bool may_find_none = call.field("arguments").children().size() == 2;
    return may_find_none && asks_for_any(call) ? ask_whether_any(call, value) : throw Noticed{call};
  }
  if (bare && name == "len") return value.maybe ? void() : pass_on(call, {Kind::other});
  if (name == "update" && value.is(Kind::mapping) && is_children(callee.field("object")))
    return give_module({}, value.parts.front(), value.parts.back(), call);
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
  const bool searches =
      code.field("body").text() == names.front().text() && asks_by_name(code.text());
  if (searches) return;
  for (const Node& use : code.all("identifier"))
    if (use.text() == names.front().text() && is_read(use) && !is_shown(use)) throw Noticed{use};
  pass_on(call, as(Kind::many, {{Kind::tuple, {{}, value.parts.front()}}}, value));
}

void ChildFlow::pass_to_functions(const Node& argument, const Node& call, const Value& value) {
  for (const Node& function : functions_named_by(call.field("function"), index_))
    if (const std::string parameter = parameter_for(argument, call, function); !parameter.empty())
      track_in(function, parameter, 0, value);
}

/// Of a collection: `children.pop()`, `modules.items()`.
void ChildFlow::pass_method(const Node& attribute, const Value& value) {
  const std::string_view name = attribute.field("attribute").text();
  const Node call = attribute.parent();
  if (name == "copy") return pass_on(call, value);
  if (const Node loop = attribute.around("while_statement");
      loop && value.is(Kind::many) && name.starts_with("pop"))
    return pass_through_worklist(loop, attribute.field("object"), value);
  if (name == "popitem" || (value.is(Kind::many) && (name == "pop" || name == "index")))
    throw Noticed{attribute};
  if (value.is(Kind::many)) return;
  if (name == "items") return pass_on(call, as(Kind::many, {{Kind::tuple, value.parts}}, value));
  if (name == "keys") return pass_on(call, as(Kind::many, {value.parts.front()}, value));
  if (name == "values") return pass_on(call, as(Kind::many, {value.parts.back()}, value));
}

/// `while todo: module = todo.pop()`
void ChildFlow::pass_through_worklist(const Node& loop, const Node& list, const Value& value) {
  Turn turn{loop.field("body"), false, value.maybe};
  turn.variables.insert_or_assign(std::string(list.text()), value);
  run_block(turn.code, turn);
}

void ChildFlow::pass_through_loop(const Node& loop, const Value& value) {
  Turn turn{loop.field("body"), false, value.maybe};
  // What a loop leaves behind, unless it breaks where it is found.
  for (const Node& name : loop.field("left").all("identifier"))
    if (turn.code.all("break_statement").empty() && is_read_next(name, loop))
      track_in(scope_of(loop), name.text(), loop.end(), {Kind::other});
  bind(loop.field("left"), value.parts.front(), turn);
  run_block(turn.code, turn);
  if (turn.yielded) pass_to_callers(loop, {Kind::many, {*turn.yielded}});
}

void ChildFlow::pass_through_comprehension(const Node& clause, const Value& value) {
  const Node comprehension = clause.parent();
  Turn turn{comprehension, false, value.maybe};
  bind(clause.field("left"), value.parts.front(), turn);
  if (!run_parts(comprehension, clause.end(), turn)) return;
  const Node body = comprehension.field("body");
  const Node call = comprehension.parent();
  const std::string_view judge = call.is("call") ? called_name(call) : "";
  if (judge == "any" || judge == "all" || judge == "sum") {
    const Truth truth = holds(body, turn);
    const bool is_alike = truth == (judge == "all" ? Truth::yes : Truth::no);
    if (is_alike || truth == Truth::unknown || turn.doubtful || is_done_to_both()) return;
    if (body.is("integer") && asks_for_any(call)) return ask_whether_any(call, value);
    return judge == "sum" && !asks_for_any(call) ? pass_on(call, {Kind::other})
                                                 : throw Noticed{body};
  }
  if (comprehension.is("dictionary_comprehension"))
    return pass_on(comprehension,
                   {Kind::mapping,
                    {value_of(body.field("key"), turn), value_of(body.field("value"), turn)},
                    false,
                    turn.doubtful});
  const Value made = value_of(body, turn);
  if (comprehension.is("set_comprehension"))
    return pass_on(comprehension, {Kind::mapping, {made, {}}, false, turn.doubtful});
  pass_on(comprehension, {Kind::many, {made}, false, turn.doubtful});
}

/// What a function returns, or yields, goes where it is called. Of a whole network, nobody expects
/// a number of modules that is not asked for.
void ChildFlow::pass_to_callers(const Node& statement, const Value& value) {
  if (value.maybe && value.is(Kind::mapping)) return; // by names
  std::size_t callers = 0;
  for (const Node& call : calls_of(statement.around("function_definition"), index_)) {
    if (++callers > max_callers) return;
    pass_on(call, value);
  }
  if (callers == 0 && (!deep_ || value.is(Kind::other))) throw Noticed{statement};
}

void ChildFlow::track(const Node& target, const Value& value) {
  if (target.is("pattern_list") || target.is("tuple_pattern") || target.is("list_pattern"))
    throw Noticed{target};
  if (target.is("attribute")) { // wherever its class reads it, or its file
    Node code = target.around("class_definition");
    if (!code || target.field("object").text() != "self") code = target.tree().root();
    for (const Node& each : code.all("attribute"))
      if (each.text() == target.text() && !(each == target)) pass_on(each, value);
    read_outside(target, value);
  }
  if (!target.is("identifier")) return;
  const Node scope = scope_of(target);
  if (is_assigned_in_its_scope(target))
    return track_in(scope, target.text(), target.begin(), value);
  const auto parameters = parameters_of(scope);
  if (contains(parameters, target.text())) {
    track_in(scope, target.text(), target.begin(), value);
    return track_argument(scope, target.text(), value);
  }
  track_in(scope, target.text(), target.begin(), value);
  for (Node around = scope; around.is("function_definition");) {
    around = scope_of(around.parent());
    track_in(around, target.text(), 0, value);
  }
}

/// `watch.sizes` of a class's `self.sizes`, in the functions that mention the class.
void ChildFlow::read_outside(const Node& target, const Value& value) {
  const Node type = target.around("class_definition");
  if (!type || target.field("object").text() != "self") return;
  for (const Node& use : index_.uses_of(name_of(type)))
    for (const Node& each : scope_of(use).all("attribute"))
      if (scope_of(use).is("function_definition") && !type.contains(each) &&
          last_name_of(each) == last_name_of(target))
        pass_on(each, value);
}

/// What a function fills is its caller's.
void ChildFlow::track_argument(const Node& function, std::string_view parameter,
                               const Value& value) {
  for (const Node& call : calls_of(function, index_))
    for (const Node& each : call.field("arguments").children())
      if (parameter_for(each, call, function) == parameter && each.is("identifier") &&
          passed_.emplace(&each.source(), each.key(), shape_of(value)).second)
        track(each, value);
}

/// Everything that reads a variable is given the value, if it may run after it was assigned.
void ChildFlow::track_in(const Node& scope, std::string_view name, std::size_t from,
                         const Value& value) {
  std::size_t first = from;
  for (const char* kind : {"for_statement", "while_statement"})
    for (const Node& loop : scope.all(kind))
      if (loop.begin() < from && from < loop.end()) first = std::min(first, loop.begin());
  const Node body = scope.is("function_definition") ? scope.field("body") : scope;
  for (const Node& use : body.identifiers(name))
    if (use.begin() >= first && is_read(use)) pass_on(use, value);
}

} // namespace model_validator::fixes
