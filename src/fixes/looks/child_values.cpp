#include "fixes/looks/child_flow.h"
#include "fixes/looks/child_words.h"
#include "fixes/looks/function_references.h"
#include "fixes/looks/stateless.h"
#include "fixes/python/scope.h"
#include "validators/suggestions/torch_classes.h"

namespace model_validator::fixes {
namespace {

using Value = ChildValue;
using Kind = Value::Kind;

/// What a module without weights and children has none of.
constexpr std::array none = {"parameters",    "named_parameters", "buffers",
                             "named_buffers", "children",         "named_children",
                             "state_dict",    "_parameters",      "_buffers",
                             "_modules",      "_forward_hooks",   "_forward_pre_hooks"};
constexpr std::array keep_all = {"list",   "tuple",  "set",       "iter", "reversed",
                                 "sorted", "filter", "frozenset", "deque"};
constexpr std::array of_nothing = {"len",       "sum", "any", "bool", "dict",
                                   "enumerate", "zip", "max", "min"};
constexpr std::array grows = {"append", "add", "extend", "update", "insert", "appendleft"};
constexpr std::array weights = {"weight", "bias"};
constexpr std::size_t deepest_run = 6;

Node receiver_of(const Node& call) { return call.field("function").field("object"); }

/// Whether a variable is what some code made, maybe of the same network.
bool is_computed(const Node& variable) {
  const auto made = scope_of(variable).all("assignment");
  return std::any_of(made.begin(), made.end(), [&](const Node& each) {
    const auto names = each.field("left").all("identifier");
    return !each.field("right").is("dictionary") &&
           std::any_of(names.begin(), names.end(),
                       [&](const Node& name) { return name.text() == variable.text(); });
  });
}

/// Whether a function finds a module by its path: `getattr` of each part.
bool follows_path(const Node& function) {
  const std::string_view text = function.text();
  const auto has = [text](const char* word) { return text.find(word) != std::string_view::npos; };
  return has(".split(") && has("getattr(") && !has("setattr(") && !has("delattr(");
}

/// Whether modules of a class of torch compute the same, whatever they are made with.
bool is_plain(std::string_view name) {
  const TorchClass* type = find_torch_class(name);
  return type && std::all_of(type->arguments.begin(), type->arguments.end(),
                             [](const auto& argument) { return argument.name == "inplace"; });
}

} // namespace

/// What it has not got is asked for. Where the child surely comes there, code fails that did not.
Value ChildFlow::fail(const Node& where, const Turn& turn) {
  if (!turn.doubtful && child_.copied.empty()) throw Noticed{where};
  return {};
}

Value ChildFlow::value_of(const Node& node, Turn& turn) {
  if (node.is("identifier")) {
    const auto known = turn.variables.find(node.text());
    return known == turn.variables.end() ? Value() : known->second;
  }
  if (node.is("none") || node.is("false")) return {Kind::empty};
  if (node.is("true")) return {Kind::truth};
  if (node.is("integer")) return {node.text() == "0" ? Kind::empty : Kind::truth};
  if (node.is("parenthesized_expression")) return value_of(node.children().front(), turn);
  if (node.is("attribute")) return value_of_attribute(node, turn);
  if (node.is("call")) return value_of_call(node, turn);
  if (node.is("conditional_expression")) return value_of_either(node, turn);
  if (node.is("boolean_operator") || node.is("not_operator") || node.is("comparison_operator"))
    return value_of_condition(node, turn);
  if (is_comprehension(node)) return value_of_comprehension(node, turn);
  if (node.is("lambda")) return {};
  if (node.is("named_expression")) {
    const Value value = value_of(node.field("value"), turn);
    assign(node.field("name"), value, node.field("value"), turn);
    return value;
  }
  return value_of_parts(node, turn);
}

Value ChildFlow::value_of_condition(const Node& condition, Turn& turn) {
  const Truth truth = holds(condition, turn);
  if (truth == Truth::unknown) return {};
  return {truth == Truth::yes ? Kind::truth : Kind::empty};
}

Value ChildFlow::value_of_either(const Node& expression, Turn& turn) {
  const auto parts = expression.children();
  const Truth truth = holds(parts[1], turn);
  if (truth != Truth::unknown) return value_of(parts[truth == Truth::yes ? 0 : 2], turn);
  const bool before = turn.doubtful;
  turn.doubtful = true;
  const Value one = value_of(parts[0], turn);
  const Value other = value_of(parts[2], turn);
  turn.doubtful = before;
  return one.kind == other.kind ? one : Value();
}

Value ChildFlow::value_of_parts(const Node& node, Turn& turn) {
  std::vector<Value> parts = values_of(node, turn);
  const auto is = [&](Kind kind) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const Value& each) { return each.is(kind); });
  };
  if (node.is("yield")) {
    const bool from = node.text().starts_with("yield from");
    const Value value = parts.empty() ? Value() : parts.front();
    if (!from)
      turn.yielded = value;
    else if (value.is(Kind::many))
      turn.yielded = value.parts.front();
    return {};
  }
  if (node.is("list_splat")) {
    if (is(Kind::many) && node.parent().is("argument_list")) throw Noticed{node};
    return parts.front();
  }
  if (node.is("list") && parts.size() == 1 && node.children().front().is("list_splat"))
    return parts.front();
  if (parts.empty() && turn.function &&
      (node.is("list") || node.is("dictionary") || node.is("tuple")))
    return {Kind::empty};
  if (node.is("tuple") || node.is("expression_list")) {
    if (is(Kind::child) && contains(weights, literal_text(node.children().back()).value_or("")))
      return fail(node, turn); // `(module, "weight")`
    return {Kind::tuple, std::move(parts)};
  }
  if (node.is("subscript") && parts.size() == 2) {
    if (parts[0].is(Kind::many) && is_searched(node.children()[1]))
      return node.children()[1].is("slice") ? parts[0] : Value();
    if (parts[0].is(Kind::many) || parts[1].is(Kind::other)) throw Noticed{node};
    if (parts[0].is_text()) return {Kind::path};
    // A mapping that was made without it does not have it.
    if (parts[1].tracked() && !parts[0].tracked() &&
        !(parts[1].is_text() && is_computed(node.children().front())))
      return fail(node, turn);
    return parts[0].is(Kind::mapping) ? parts[0].parts.back() : Value();
  }
  if (node.is("binary_operator") && is(Kind::other)) throw Noticed{node};
  const bool made_of_text = is(Kind::name) || is(Kind::path);
  return made_of_text && !node.is("list") && !node.is("dictionary") ? Value{Kind::path} : Value();
}

Value ChildFlow::value_of_attribute(const Node& attribute, Turn& turn) {
  const Value object = value_of(attribute.field("object"), turn);
  const std::string_view name = attribute.field("attribute").text();
  if (object.is(Kind::type)) return {name.ends_with("name__") ? Kind::type_name : Kind::plain};
  if (!object.is(Kind::child)) return {};
  if (name == "__class__") return {Kind::type};
  if (contains(none, name)) return {Kind::empty};
  if (name == "forward" || name == "training") return {Kind::own};
  return is_of_every_module(name) || has(name) ? Value() : fail(attribute, turn);
}

/// Of a list, and of what else holds expressions.
std::vector<Value> ChildFlow::values_of(const Node& list, Turn& turn) {
  std::vector<Value> values;
  for (const Node& each :
       list.is("argument_list") || !is_comprehension(list) ? list.children() : std::vector{list})
    values.push_back(value_of(each.is("keyword_argument") ? each.field("value") : each, turn));
  return values;
}

Value ChildFlow::value_of_call(const Node& call, Turn& turn) {
  const Node callee = call.field("function");
  if (is_output(call)) return {};
  if (does_the_same(call)) return {Kind::fresh};
  if (callee.is("attribute")) return value_of_method(call, turn);
  if (value_of(callee, turn).is(Kind::child)) throw Noticed{call};
  const std::string_view name = called_name(call);
  if (name == "isinstance" || name == "issubclass" || name == "hasattr") {
    const Truth truth = holds_call(call, turn);
    return truth == Truth::unknown ? Value()
                                   : Value{truth == Truth::yes ? Kind::truth : Kind::empty};
  }
  const auto values = values_of(call.field("arguments"), turn);
  if (values.empty()) return {};
  if (name == "setattr" && values.size() == 3) {
    const Node text = call.field("arguments").children()[1];
    if (values.front().is(Kind::child) && !values[1].is_text())
      set_attribute(call, literal_text(text).value_or(""), values[2],
                    call.field("arguments").children()[2]);
    else
      give_module(call.field("arguments").children().front(), values[1], values[2], call);
    return {};
  }
  const auto collects = [](const Value& each) {
    return each.is(Kind::many) || each.is(Kind::mapping);
  };
  if (is_container_of_torch(call) && std::any_of(values.begin(), values.end(), collects))
    throw Noticed{call};
  if (name == "delattr" && values.size() == 2) give_module({}, values[1], {}, call);
  return value_of_builtin(call, values, turn);
}

Value ChildFlow::value_of_builtin(const Node& call, const std::vector<Value>& values, Turn& turn) {
  const std::string_view name = called_name(call);
  const Value& first = values.front();
  const Node list = call.field("arguments");
  if (first.is(Kind::child)) {
    if (name == "type") return {Kind::type};
    if (name == "deepcopy" || name == "copy" || name == "compile") return first;
    if (name == "getattr" && values.size() > 1) {
      const auto text = literal_text(list.children()[1]);
      if (text && contains(none, *text)) return {Kind::empty};
      if (!text || is_of_every_module(*text) || has(*text)) return {};
      return values.size() > 2 ? values[2] : fail(call, turn);
    }
    for (const Node& each : list.children()) {
      const Node text = each.is("keyword_argument") ? each.field("value") : each;
      if (contains(weights, literal_text(text).value_or(""))) return fail(call, turn);
    }
  }
  if (name == "getattr" && values.size() > 1 && values[1].is(Kind::name)) return {Kind::child};
  if (name == "next") {
    // One of its own for each.
    const Node from = list.children().front();
    if (first.is(Kind::many) || (from.is("identifier") && !turn.function && first.is(Kind::plain)))
      throw Noticed{call};
    if (!first.is(Kind::empty)) return {};
    return values.size() > 1 ? values[1] : fail(call, turn);
  }
  const bool many_of_nothing = first.is(Kind::many) && first.parts.front().is(Kind::empty);
  if ((first.is(Kind::empty) || many_of_nothing) && contains(of_nothing, name))
    return {Kind::empty};
  if (name == "len" && first.is(Kind::many)) return {Kind::other};
  if (contains(keep_all, name)) {
    const Value& kept = values.back();
    return kept.is(Kind::many) || kept.is(Kind::empty) ? kept : Value();
  }
  if (first.is_text() && name == "str") return first;
  if (first.is_text() && (name == "int" || name == "float")) return fail(call, turn);
  constexpr std::array ways = {"match", "search", "fullmatch", "findall", "fnmatch", "fnmatchcase"};
  for (const Value& each : values)
    if (contains(ways, name) && each.is_text()) {
      const auto arguments = list.children();
      const Node pattern = arguments.size() == 1    ? receiver_of(call)
                           : name.starts_with("fn") ? arguments[1]
                                                    : arguments[0];
      return {matches_pattern(each, pattern) == Truth::no ? Kind::empty : Kind::plain};
    }
  return call_function(call, values, turn);
}

Value ChildFlow::value_of_method(const Node& call, Turn& turn) {
  const Value object = value_of(receiver_of(call), turn);
  const std::string_view name = called_name(call);
  if (object.is(Kind::child)) return value_of_own_method(call, turn);
  const auto values = values_of(call.field("arguments"), turn);
  constexpr std::array gives = {"add_module", "register_module", "set_submodule", "__setattr__"};
  if (contains(gives, name) && values.size() == 2) {
    give_module(receiver_of(call), values[0], values[1], call);
    return {};
  }
  if (name == "get_submodule" && values.size() == 1 && values[0].is_text()) return {Kind::child};
  if (contains(grows, name) && !values.empty()) {
    grow(receiver_of(call), name, values.back(), turn);
    return {};
  }
  if (object.is(Kind::empty)) return object;
  if (object.is(Kind::many) && name.starts_with("pop")) return object.parts.front();
  const Node list = call.field("arguments");
  const bool takes_first = name == "popleft" || (name == "pop" && list.text() == "(0)");
  if (takes_first && !turn.function && !object.tracked()) throw Noticed{call};
  if (object.is_text()) {
    const Truth truth = holds_call(call, turn);
    if (truth != Truth::unknown) return {truth == Truth::yes ? Kind::truth : Kind::empty};
    constexpr std::array numbers = {"find", "index", "count", "isdigit", "isnumeric"};
    if (contains(numbers, name)) return {};
    return {object.is(Kind::type_name) ? Kind::type_name : Kind::path};
  }
  return values.empty() ? Value() : value_of_builtin(call, values, turn);
}

/// A method of the child.
Value ChildFlow::value_of_own_method(const Node& call, Turn& turn) {
  const std::string_view name = called_name(call);
  const auto arguments = call.field("arguments").children();
  if (contains(none, name)) {
    asked_.type = asked_.type || name.ends_with("children");
    return child_.is_list && name.ends_with("children") ? Value() : Value{Kind::empty};
  }
  if (name == "modules") return {Kind::many, {{Kind::child}}};
  if (name == "named_modules") return {Kind::many, {{Kind::tuple, {{Kind::path}, {Kind::child}}}}};
  if (name == "_get_name") return {Kind::type_name};
  if ((name == "eval" || name == "train") && !is_done_to_both() && depends_on_mode())
    throw Noticed{call};
  if (name == "forward") throw Noticed{call};
  if (name.starts_with("register_") && name.ends_with("hook") && !arguments.empty())
    hook(arguments.front());
  if (name == "apply" && !arguments.empty()) call_with_child(arguments.front(), turn.doubtful);
  if (!is_of_every_module(name) && !has(name)) return fail(call, turn);
  constexpr std::array others = {"get_submodule", "get_parameter", "get_extra_state"};
  return contains(others, name) || name.starts_with("register_") ? Value() : Value{Kind::child};
}

/// Whether a module that is made does what the child does: a second of a class that takes nothing,
/// or of a copy's.
bool ChildFlow::does_the_same(const Node& made) {
  if (is_done_to_both() && makes_no_state(made, index_.imports_of(made), index_)) return true;
  const std::string_view name = called_name(made);
  if (!is_plain(name)) return false;
  asked_.type = true;
  return name == child_.type &&
         index_.imports_of(made).resolve(made.field("function").text()).starts_with("torch.nn.");
}

/// Runs what a comprehension loops over and asks, behind a place. @returns whether its body may run
bool ChildFlow::run_parts(const Node& comprehension, std::size_t from, Turn& turn) {
  bool nothing = false;
  for (const Node& each : comprehension.children()) {
    if (each.begin() < from) continue;
    if (each.is("for_in_clause")) {
      const Value element = element_of(each.field("right"), turn, nothing);
      if (!nothing) bind(each.field("left"), element, turn);
    } else if (each.is("if_clause")) {
      const Truth truth = holds(each.children().front(), turn);
      nothing = truth == Truth::no;
      turn.doubtful = turn.doubtful || truth == Truth::unknown;
    }
    if (nothing) return false;
  }
  return true;
}

/// It adds to what a comprehension makes, or to nothing.
Value ChildFlow::value_of_comprehension(const Node& comprehension, Turn& turn) {
  const Variables before = turn.variables;
  const bool was_doubtful = turn.doubtful;
  const bool nothing = !run_parts(comprehension, 0, turn);
  const Node body = comprehension.field("body");
  Value element;
  if (!nothing && body.is("pair"))
    values_of(body, turn);
  else if (!nothing)
    element = value_of(body, turn);
  turn.variables = before;
  turn.doubtful = was_doubtful;
  if (nothing) return {Kind::empty};
  return element.is(Kind::plain) ? Value() : Value{Kind::many, {element}};
}

/// What a loop runs over.
Value ChildFlow::element_of(const Node& iterable, Turn& turn, bool& nothing) {
  const Value value = value_of(iterable, turn);
  const auto is_empty = [](const Value& each) { return each.is(Kind::empty); };
  nothing = is_empty(value) || (value.is(Kind::tuple) && !value.parts.empty() &&
                                std::all_of(value.parts.begin(), value.parts.end(), is_empty));
  if (value.is(Kind::many) || value.is(Kind::mapping)) return value.parts.front();
  return {};
}

/// A collection gets one more, and is followed where it is read.
void ChildFlow::grow(const Node& collection, std::string_view how, const Value& value, Turn& turn) {
  const bool adds_all = how == "extend" || how == "update";
  if (adds_all && !value.is(Kind::many)) return;
  const Value grown = adds_all ? value : Value{Kind::many, {value}, false, turn.doubtful};
  const bool is_own =
      turn.variables.count(collection.text()) != 0 ||
      (turn.function && collection.is("identifier") && is_assigned_in_its_scope(collection));
  if (is_own)
    turn.variables.insert_or_assign(std::string(collection.text()), grown);
  else
    track(collection, grown);
}

/// What a function of the source makes of it.
Value ChildFlow::call_function(const Node& call, const std::vector<Value>& values, Turn& turn) {
  const auto is_path = [](const Value& each) { return each.is(Kind::path); };
  const auto is_tracked = [](const Value& each) { return each.tracked(); };
  // Many things that are not of the source have such methods.
  constexpr std::array common = {"get", "index", "count", "remove", "setdefault", "put", "write"};
  if (std::none_of(values.begin(), values.end(), is_tracked) || running_.size() > deepest_run ||
      (call.field("function").is("attribute") && contains(common, called_name(call))))
    return {};
  const auto arguments = call.field("arguments").children();
  std::optional<Value> result;
  for (const Node& function : functions_named_by(call.field("function"), index_)) {
    if (name_of(function) == "__init__") return {};
    if (std::any_of(values.begin(), values.end(), is_path) && follows_path(function))
      return {Kind::child};
    Variables given;
    for (std::size_t i = 0; i < std::min(values.size(), arguments.size()); ++i)
      if (const std::string parameter = parameter_for(arguments[i], call, function);
          values[i].tracked() && !parameter.empty())
        given.insert_or_assign(parameter, values[i]);
    const Value value = run_function(function, given, turn.doubtful);
    result = !result || result->kind == value.kind ? value : Value();
  }
  return result.value_or(Value());
}

/// A function that already runs does the same in it.
Value ChildFlow::run_function(const Node& function, const Variables& arguments, bool doubtful) {
  const auto key = std::make_pair(&function.source(), function.key());
  if (!running_.insert(key).second) return {Kind::empty};
  Turn turn{function.field("body"), true, doubtful, 0, arguments};
  run_block(turn.code, turn);
  running_.erase(key);
  if (turn.yielded) return {Kind::many, {*turn.yielded}};
  const bool generates = !function.all("yield").empty();
  return generates ? Value{Kind::empty} : turn.returned.value_or(Value());
}

void ChildFlow::call_with_child(const Node& function, bool doubtful) {
  if (function.is("lambda")) {
    Turn turn{function, true, doubtful};
    const auto parameters = function.field("parameters").children();
    if (!parameters.empty()) bind(parameters.front(), {Kind::child}, turn);
    value_of(function.field("body"), turn);
    return;
  }
  for (const Node& each : functions_named_by(function, index_))
    if (const auto parameters = parameters_of(each); !parameters.empty())
      run_function(each, {{parameters.front(), {Kind::child}}}, doubtful);
}

} // namespace model_validator::fixes
