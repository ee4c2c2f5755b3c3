#include "fixes/child_flow.h"
#include "fixes/child_words.h"
#include "fixes/function_references.h"
#include "fixes/scope.h"
#include "fixes/stateless.h"

namespace model_validator::fixes {
namespace {

using Value = ChildValue;
using Kind = Value::Kind;

/// What a module without weights and children has none of.
constexpr std::array none = {"parameters",    "named_parameters", "buffers",
                             "named_buffers", "children",         "named_children",
                             "state_dict",    "_parameters",      "_buffers",
                             "_modules",      "_forward_hooks",   "_forward_pre_hooks"};
/// What changes nothing in a module without weights.
constexpr std::array changes_nothing = {
    "to",       "cuda", "cpu",  "float",     "half",           "double",
    "bfloat16", "type", "xpu",  "zero_grad", "requires_grad_", "share_memory",
    "to_empty", "eval", "train"};
/// Functions, and methods of texts and collections, that leave nothing behind.
constexpr std::array pure = {"isinstance", "issubclass", "hasattr", "getattr",  "type",   "id",
                             "str",        "repr",       "len",     "int",      "float",  "bool",
                             "min",        "max",        "sum",     "any",      "all",    "range",
                             "enumerate",  "zip",        "list",    "tuple",    "set",    "dict",
                             "sorted",     "reversed",   "iter",    "callable", "filter", "map",
                             "abs",        "round",      "super",   "partial"};
constexpr std::array pure_methods = {
    "startswith", "endswith",   "split",        "rsplit",         "replace", "strip",
    "lower",      "upper",      "join",         "format",         "count",   "find",
    "partition",  "rpartition", "removeprefix", "removesuffix",   "isdigit", "get",
    "items",      "keys",       "values",       "match",          "search",  "fullmatch",
    "fnmatch",    "sub",        "no_grad",      "inference_mode", "copy"};
constexpr std::array parts_of_mapping = {"items", "keys", "values", "copy"};
constexpr std::size_t max_functions = 12;
constexpr std::size_t deepest = 6;

Value derived_from(const std::vector<Value>& parts) {
  const bool any =
      std::any_of(parts.begin(), parts.end(), [](const Value& each) { return each.tracked(); });
  return {any ? Kind::derived : Kind::plain};
}

/// Whether a name is matched with a pattern that the code is given: one for modules that its author
/// knows.
bool matches_name(const Node& call, const std::vector<Value>& values) {
  constexpr std::array ways = {"match", "search", "fullmatch", "findall", "fnmatch", "fnmatchcase"};
  if (!contains(ways, called_name(call)) ||
      std::none_of(values.begin(), values.end(), [](const Value& each) { return each.tracked(); }))
    return false;
  const auto arguments = call.field("arguments").children();
  return std::none_of(arguments.begin(), arguments.end(),
                      [](const Node& each) { return each.is("string"); });
}

/// Whether a function finds a module by its path: `getattr` of each part.
bool follows_path(const Node& function) {
  const std::string_view text = function.text();
  const auto has = [text](const char* word) { return text.find(word) != std::string_view::npos; };
  return has(".split(") && has("getattr(") && !has("setattr(") && !has("delattr(");
}

/// The receiver of a call of a method.
Node receiver_of(const Node& call) { return call.field("function").field("object"); }

} // namespace

Value ChildFlow::value_of(const Node& node, Turn& turn) {
  if (node.is("identifier")) {
    const auto known = turn.variables.find(node.text());
    return known == turn.variables.end() ? Value() : known->second;
  }
  if (node.is("none")) return {Kind::empty};
  if (node.is("parenthesized_expression")) return value_of(node.children().front(), turn);
  if (node.is("attribute")) return value_of_attribute(node, turn);
  if (node.is("call")) return value_of_call(node, turn);
  if (node.is("conditional_expression")) {
    const auto parts = node.children();
    const Truth truth = holds(parts[1], turn);
    if (truth == Truth::yes) return value_of(parts[0], turn);
    if (truth == Truth::no) return value_of(parts[2], turn);
    const Value other = value_of(parts[2], turn);
    try {
      const Value one = value_of(parts[0], turn);
      return one.kind == other.kind ? one : Value{Kind::derived};
    } catch (const Fails&) {
      return other;
    }
  }
  if (node.is("boolean_operator") || node.is("not_operator") || node.is("comparison_operator")) {
    return {holds(node, turn) == Truth::no ? Kind::empty : Kind::derived};
  }
  if (is_comprehension(node)) return value_of_comprehension(node, turn);
  if (node.is("lambda")) {
    if (all_of(node, "call").empty()) return derived_from({value_of(node.field("body"), turn)});
    for (const Node& each : all_of(node, "identifier"))
      if (turn.variables.count(each.text()) != 0) throw Noticed{node};
    return {};
  }
  if (node.is("named_expression")) {
    const Value value = value_of(node.field("value"), turn);
    assign(node.field("name"), value, turn);
    return value;
  }
  return value_of_parts(node, turn);
}

Value ChildFlow::value_of_parts(const Node& node, Turn& turn) {
  if (node.is("await")) throw Noticed{node};
  std::vector<Value> parts;
  for (const Node& each : node.children()) parts.push_back(value_of(each, turn));
  if (node.is("yield")) {
    const bool from = node.text().starts_with("yield from");
    const Value value = parts.empty() ? Value() : parts.front();
    if (from && !value.is(Kind::many)) return value.is(Kind::empty) ? Value() : throw Noticed{node};
    turn.yielded = from ? value.parts.front() : value;
    return {};
  }
  if (parts.empty() && turn.function &&
      (node.is("list") || node.is("dictionary") || node.is("tuple") || node.text() == "set()"))
    return {Kind::empty};
  if (node.is("tuple") || node.is("expression_list")) return {Kind::tuple, std::move(parts)};
  if (node.is("subscript") && parts.size() == 2) {
    // A mapping that was made without it does not have it.
    if ((parts[1].tracked() && !parts[0].tracked()) || parts[0].is(Kind::child))
      throw Fails{{node}};
  }
  return derived_from(parts);
}

Value ChildFlow::value_of_attribute(const Node& attribute, Turn& turn) {
  const Value object = value_of(attribute.field("object"), turn);
  const std::string_view name = attribute.field("attribute").text();
  if (object.is(Kind::type)) return {name == "__name__" ? Kind::type_name : Kind::derived};
  if (!object.is(Kind::child)) return {object.tracked() ? Kind::derived : Kind::plain};
  if (name == "__class__") return {Kind::type};
  if (contains(none, name)) return {Kind::empty};
  if (name == "training") return {Kind::mode};
  if (is_copy_ && name != "forward") return {Kind::derived};
  if (is_of_every_module(name)) throw Noticed{attribute};
  throw Fails{{attribute}};
}

Value ChildFlow::value_of_call(const Node& call, Turn& turn) {
  const Node callee = call.field("function");
  if (is_output(call)) return {};
  if (callee.is("attribute")) return value_of_method(call, turn);
  if (callee.is("identifier") && (contains(pure, callee.text()) || callee.text() == "next"))
    return value_of_builtin(call, turn);
  if (callee.text() == "setattr") {
    give_module(call, turn);
    return {};
  }
  std::vector<Value> values;
  for (const Node& each : call.field("arguments").children())
    values.push_back(value_of(each, turn));
  if (matches_name(call, values)) {
    is_picked_ = is_picked_ || is_copy_;
    return {is_copy_ ? Kind::derived : Kind::empty};
  }
  if (is_copy_ && makes_no_state(call, index_.imports_of(call), index_)) return {Kind::fresh};
  if (const auto value = call_function(call, turn)) return *value;
  throw Noticed{call};
}

Value ChildFlow::value_of_method(const Node& call, Turn& turn) {
  if (is_copy_ && makes_no_state(call, index_.imports_of(call), index_)) return {Kind::fresh};
  const Value object = value_of(receiver_of(call), turn);
  const std::string_view name = called_name(call);
  const Node list = call.field("arguments");
  if (object.is(Kind::child)) {
    if (contains(none, name)) {
      demands_.leaf = demands_.leaf || name.ends_with("children");
      return {Kind::empty};
    }
    if (name == "modules") return {Kind::many, {object}};
    if (name == "named_modules") return {Kind::many, {{Kind::tuple, {{Kind::path}, object}}}};
    demands_.mode = demands_.mode || (!is_done_to_both() && (name == "eval" || name == "train"));
    if (contains(changes_nothing, name)) return object;
    if (name == "_get_name") return {Kind::type_name};
    if (!is_of_every_module(name)) throw Fails{{call}};
    if (name != "apply" || list.children().empty()) throw Noticed{call};
    call_with_child(list.children().front());
    return object;
  }
  if (object.is(Kind::empty) && contains(parts_of_mapping, name)) return object;
  if (name == "add_module" || name == "register_module") {
    give_module(call, turn);
    return {};
  }
  std::vector<Value> values = {object};
  for (const Node& each : list.is("argument_list") ? list.children() : std::vector{list})
    values.push_back(value_of(each.is("keyword_argument") ? each.field("value") : each, turn));
  const Value joined = derived_from(values);
  if (matches_name(call, values)) {
    is_picked_ = is_picked_ || is_copy_;
    return {is_copy_ ? Kind::derived : Kind::empty};
  }
  if (holds_call(call, turn) == Truth::no) return {Kind::empty};
  if (contains(pure_methods, name) ||
      index_.imports_of(call).resolve(call.field("function").text()).starts_with("math."))
    return joined;
  const Node receiver = receiver_of(call);
  const bool grows =
      name == "append" || name == "add" || name == "extend" || name == "update" || name == "insert";
  if (!grows || !receiver.is("identifier")) {
    if (const auto value = call_function(call, turn)) return *value;
    throw Noticed{call};
  }
  if (values.back().is(Kind::empty) && (name == "extend" || name == "update")) return {};
  const Value grown =
      values.back().is(Kind::many) ? values.back() : Value{Kind::many, {values.back()}};
  if (!is_assigned_in_its_scope(receiver)) throw Noticed{call};
  if (turn.function || turn.variables.count(receiver.text()) != 0)
    turn.variables.insert_or_assign(std::string(receiver.text()), grown);
  else
    track(receiver, grown);
  return {};
}

Value ChildFlow::value_of_builtin(const Node& call, Turn& turn) {
  const std::string_view name = called_name(call);
  const Node list = call.field("arguments");
  std::vector<Value> values;
  for (const Node& each : list.is("argument_list") ? list.children() : std::vector{list})
    values.push_back(value_of(each.is("keyword_argument") ? each.field("value") : each, turn));
  if (values.empty()) return {};
  const Value& first = values.front();
  if (name == "next" && (!first.is(Kind::empty) || values.size() != 2)) throw Noticed{call};
  const bool of_nothing = first.is(Kind::many) && first.parts.front().is(Kind::empty);
  if (of_nothing && (name == "any" || name == "sum")) return {Kind::empty};
  if (first.is(Kind::empty)) return first;
  if (first.is(Kind::many) &&
      (name == "list" || name == "tuple" || name == "iter" || name == "reversed"))
    return first;
  if (first.is(Kind::child) && name == "type") return {Kind::type};
  if (name == "getattr" && values.size() > 1 && values[1].is(Kind::name) &&
      is_owner(list.children().front()))
    return {Kind::child};
  if (first.is(Kind::child) && name == "getattr") {
    if (has_attribute(list.children()[1]) != Truth::no) throw Noticed{call};
    if (values.size() < 3) throw Fails{{call}};
    const Node otherwise = list.children()[2];
    const bool nothing =
        otherwise.is("none") || otherwise.is("false") || otherwise.text().size() == 2;
    return nothing ? Value{Kind::empty} : values[2];
  }
  return derived_from(values);
}

/// It adds to what a comprehension makes, or to nothing.
Value ChildFlow::value_of_comprehension(const Node& comprehension, Turn& turn) {
  const Variables before = turn.variables;
  bool nothing = false;
  for (const Node& each : comprehension.children()) {
    if (nothing) break;
    if (each.is("for_in_clause")) {
      const Value element = element_of(each.field("right"), turn, nothing);
      if (!nothing) bind(each.field("left"), element, turn);
    } else if (each.is("if_clause")) {
      nothing = holds(each.children().front(), turn) == Truth::no;
    }
  }
  Value element;
  if (!nothing) {
    const Node body = comprehension.field("body");
    element =
        body.is("pair")
            ? derived_from({value_of(body.field("key"), turn), value_of(body.field("value"), turn)})
            : value_of(body, turn);
  }
  turn.variables = before;
  if (nothing) return {Kind::empty};
  return element.is(Kind::plain) ? Value{} : Value{Kind::many, {element}};
}

/// What a loop runs over.
Value ChildFlow::element_of(const Node& iterable, Turn& turn, bool& nothing) {
  const Value value = value_of(iterable, turn);
  nothing = value.is(Kind::empty);
  if (value.is(Kind::many) || value.is(Kind::mapping)) return value.parts.front();
  return {value.tracked() ? Kind::derived : Kind::plain};
}

/// `setattr(parent, name, child)` changes nothing where the child is what was there.
void ChildFlow::give_module(const Node& call, Turn& turn) {
  const auto arguments = call.field("arguments").children();
  if (arguments.size() < 2) throw Noticed{call};
  const Node parent = arguments.size() == 3 ? arguments.front() : receiver_of(call);
  const bool same_name = value_of(arguments[arguments.size() - 2], turn).is(Kind::name);
  const Value given = value_of(arguments.back(), turn);
  const bool same = given.is(Kind::child) || (given.is(Kind::fresh) && is_done_to_both());
  if (turn.function || !is_owner(parent) || !same_name || !same) throw Noticed{call};
}

bool ChildFlow::is_owner(const Node& expression) const {
  if (expression.text() == owner_) return true;
  if (!expression.is("identifier")) return false;
  const auto made = all_of(scope_of(expression), "assignment");
  return std::any_of(made.begin(), made.end(), [&](const Node& each) {
    return each.field("left").text() == expression.text() && each.field("right").text() == owner_;
  });
}

/// @returns nothing where the source does not show the function
std::optional<Value> ChildFlow::call_function(const Node& call, Turn& turn) {
  const auto functions = functions_named_by(call.field("function"), index_);
  if (functions.empty() || running_.size() > deepest) return std::nullopt;
  std::optional<Value> result;
  for (const Node& function : functions) {
    if (name_of(function) == "__init__") return std::nullopt;
    Variables arguments;
    const Node list = call.field("arguments");
    for (const Node& each : list.children()) {
      const Value value = value_of(each.is("keyword_argument") ? each.field("value") : each, turn);
      if (!value.tracked()) continue;
      const std::string parameter = parameter_for(each, call, function);
      if (parameter.empty()) return std::nullopt;
      if (value.is(Kind::path) && follows_path(function)) return Value{Kind::child};
      arguments.insert_or_assign(parameter, value);
    }
    const Value value = run_function(function, arguments);
    result = !result || result->kind == value.kind ? value : Value{Kind::derived};
  }
  return result;
}

/// A function that already runs does the same in it.
Value ChildFlow::run_function(const Node& function, const Variables& arguments) {
  const auto key = std::make_pair(&function.source(), function.key());
  if (!running_.insert(key).second) return {Kind::empty};
  Turn turn{function.field("body"), true, 0, arguments};
  run_block(turn.code, turn);
  running_.erase(key);
  if (turn.yielded) return {Kind::many, {*turn.yielded}};
  const bool generates = !all_of(function, "yield").empty();
  return generates ? Value{Kind::empty} : turn.returned.value_or(Value());
}

void ChildFlow::call_with_child(const Node& function) {
  const Node callee = function.is("call") && called_name(function) == "partial"
                          ? function.field("arguments").children().front()
                          : function;
  if (callee.is("lambda")) {
    Turn turn{callee, true};
    const auto parameters = callee.field("parameters").children();
    const bool others_are_set =
        std::all_of(parameters.begin() + 1, parameters.end(),
                    [](const Node& each) { return each.is("default_parameter"); });
    if (parameters.empty() || !others_are_set) throw Noticed{function};
    bind(parameters.front(), {Kind::child}, turn);
    value_of(callee.field("body"), turn);
    return;
  }
  const auto functions = functions_named_by(callee, index_);
  if (functions.empty()) throw Noticed{function};
  for (const Node& each : functions) {
    const auto parameters = parameters_of(each);
    if (parameters.empty()) throw Noticed{function};
    run_function(each, {{parameters.front(), {Kind::child}}});
  }
}

} // namespace model_validator::fixes
