#include "fixes/python/scope.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <array>
#include <map>

namespace model_validator::fixes {
namespace {

/// What a `for` runs over is computed once.
bool repeats(const Node& around, const Node& inside) {
  if (around.is("while_statement")) return true;
  if (around.is("for_statement")) return !(around.field("right") == inside);
  return is_comprehension(around);
}

std::string first_parameter(const Node& function) {
  const auto parameters = function.field("parameters").children();
  if (parameters.empty()) return {};
  Node first = parameters.front();
  if (first.is("typed_parameter")) first = first.children().front();
  return first.is("identifier") ? std::string(first.text()) : std::string();
}

bool is_static(const Node& function) {
  const Node around = function.parent();
  if (!around.is("decorated_definition")) return false;
  for (const Node& child : around.children())
    if (child.is("decorator") &&
        (child.text() == "@staticmethod" || child.text() == "@classmethod"))
      return true;
  return false;
}

MethodOrReason refused(std::string reason, const Node& function = {}) {
  return {std::nullopt, std::move(reason), function};
}

/// Whether a first parameter that is not called `self` is an instance even so.
bool is_instance(const std::string& name, const Node& function, const Node& type) {
  return !name.empty() &&
         (name_of(function) == "forward" || first_parameter(find_method(type, "__init__")) == name);
}

/// A function within a method knows the instance of that, as `_inner` of `checkpoint(_inner, x)`.
MethodOrReason method_around_nested(const Node& function) {
  MethodOrReason outer = method_of(function);
  if (outer.method && !parameter_of(function, outer.method->self)) return outer;
  return refused("it is in the nested function `" + name_of(function) + '`');
}

MethodOrReason method_from(const Node& function) {
  const std::string name = name_of(function);
  const Node type = class_holding(function);
  if (!type && function.around("function_definition")) return method_around_nested(function);
  if (!type)
    return refused("it is in the free function `" + name + "`, which has no module of its own",
                   function);
  const std::string self = first_parameter(function);
  // Even without a decorator, a function of a class may be called as `Net.half(x)`.
  if (is_static(function) || (self != "self" && !is_instance(self, function, type)))
    return refused("it is in `" + name + "`, which is given no instance of its class", function);
  return {Method{function, type, self}, {}};
}

} // namespace

Node class_holding(const Node& function) {
  Node block = function.parent();
  if (block.is("decorated_definition")) block = block.parent();
  return block.is("block") && block.parent().is("class_definition") ? block.parent() : Node();
}

Node owner_of(const Node& object) {
  if (!object.is("identifier")) return {};
  for (Node function = object.around("function_definition"); function;
       function = function.around("function_definition"))
    if (first_parameter(function) == object.text()) return class_holding(function);
  return {};
}

bool is_comprehension(const Node& node) {
  return contains({"list_comprehension", "set_comprehension", "dictionary_comprehension",
                   "generator_expression"},
                  node.type());
}

bool is_first_iterable(const Node& comprehension, const Node& clause, const Node& node) {
  for (const Node& child : comprehension.children())
    if (child.is("for_in_clause")) return child == clause && child.field("right").contains(node);
  return false;
}

MethodOrReason method_of(const Node& node) {
  Node inside = node;
  for (Node around = node.parent(); around; inside = around, around = around.parent()) {
    if (around.is("lambda")) return refused("it is in a lambda");
    if (around.is("function_definition")) return method_from(around);
    if (is_comprehension(around) && is_first_iterable(around, inside, node)) continue;
    if (is_comprehension(around))
      return refused("it is in a comprehension, which calls it as often as there are elements");
    if (repeats(around, inside)) return refused(in_a_loop);
  }
  return refused("it is in no function");
}

std::string name_of(const Node& definition) { return std::string(definition.field("name").text()); }

Node name_of_parameter(const Node& parameter) {
  if (const Node name = parameter.field("name")) return name;
  return parameter.children().empty() ? parameter : parameter.children().front();
}

Node parameter_of(const Node& function, std::string_view name) {
  for (const Node& each : function.field("parameters").children())
    if (name_of_parameter(each).text() == name) return each;
  return {};
}

Node find_method(const Node& type, std::string_view name) {
  for (const Node& statement : type.field("body").children()) {
    const Node definition = undecorated(statement);
    if (definition.is("function_definition") && name_of(definition) == name) return definition;
  }
  return {};
}

Node find_class(const Node& root, std::string_view name) {
  for (const Node& type : root.all("class_definition")) {
    std::string full = name_of(type);
    for (Node outer = type.around("class_definition"); outer;
         outer = outer.around("class_definition"))
      full.insert(0, name_of(outer) + '.');
    if (full == name) return type;
  }
  return {};
}

namespace {

/// No class has more that matter here: the rest are left out.
constexpr std::size_t max_bases = 50;

} // namespace

std::vector<Node> bases_of(const Node& type) {
  const auto& classes = type.tree().classes();
  std::vector<Node> found = {type};
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const Node& named : found[i].field("superclasses").children()) {
      const auto base = classes.find(named.text());
      if (base != classes.end() && found.size() <= max_bases && !contains(found, base->second))
        found.push_back(base->second);
    }
  found.erase(found.begin());
  return found;
}

bool derives_from(const Node& type, const Node& base) {
  const auto bases = bases_of(type);
  return contains(bases, base);
}

bool may_belong_to(const Node& attribute, const Node& type) {
  const Node around = attribute.around("class_definition");
  return !around || around == type || derives_from(around, type);
}

std::set<std::string> attributes_of(const Node& type) {
  std::set<std::string> names;
  std::set<std::string> instances;
  for (const Node& function : type.all("function_definition")) {
    names.insert(name_of(function));
    instances.insert(first_parameter(function));
  }
  for (const Node& attribute : type.all("attribute"))
    if (instances.count(std::string(attribute.field("object").text())))
      names.insert(std::string(attribute.field("attribute").text()));
  for (const Node& assignment : type.all("assignment"))
    if (assignment.field("left").is("identifier"))
      names.insert(std::string(assignment.field("left").text()));
  return names;
}

std::string_view called_name(const Node& call) { return last_name_of(call.field("function")); }

bool is_named_field(const Node& identifier) {
  const Node around = identifier.parent();
  return (around.is("attribute") && around.field("attribute") == identifier) ||
         (around.is("keyword_argument") && around.field("name") == identifier);
}

bool binds(const Node& use) {
  constexpr auto& wholly =
      word_array<"pattern_list tuple_pattern list_pattern as_pattern_target parameters "
                 "lambda_parameters typed_parameter list_splat_pattern dictionary_splat_pattern "
                 "dotted_name aliased_import global_statement nonlocal_statement">;
  const Node around = use.parent();
  if (contains({"boolean_operator", "binary_operator", "keyword_argument"}, around.type()))
    return false;
  return contains(wholly, around.type()) || around.field("left") == use ||
         around.field("name") == use;
}

std::string_view last_name_of(const Node& dotted) {
  return (dotted.is("attribute") ? dotted.field("attribute") : dotted).text();
}

Node scope_of(const Node& node) {
  const Node function = node.around("function_definition");
  return function ? function : node.tree().root();
}

bool are_alternatives(const Node& one, const Node& other) {
  Node inside = one;
  for (Node around = one.parent(); around && !around.is("function_definition");
       inside = around, around = around.parent()) {
    if (!around.contains(other)) continue;
    const Node condition = around.field("condition");
    return around.is("if_statement") && !condition.contains(other) && !(condition == inside) &&
           !inside.contains(other);
  }
  return false;
}

std::string indent_of(const Node& statement) {
  const auto size = static_cast<std::size_t>(statement.column());
  return statement.source().substr(statement.begin() - size, size);
}

Node statement_of(const Node& node) {
  Node statement = node;
  while (statement.parent() && !contains({"block", "module"}, statement.parent().type()))
    statement = statement.parent();
  return statement;
}

} // namespace model_validator::fixes
