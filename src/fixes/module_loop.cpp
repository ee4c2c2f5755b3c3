#include "fixes/module_loop.h"

#include "fixes/call_arguments.h"
#include "fixes/loop_counts.h"
#include "fixes/loop_values.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace model_validator::fixes {
namespace {

constexpr std::array growers = {"append", "extend", "insert", "add_module", "__setitem__"};
constexpr auto& evaluates_all =
    word_array<"argument_list assignment attribute augmented_assignment block binary_operator call "
               "expression_list list pair keyword_argument expression_statement subscript tuple "
               "unary_operator parenthesized_expression">;
constexpr std::array early_ends = {"break_statement", "continue_statement", "return_statement",
                                   "raise_statement"};

bool is_target_of(const Node& node, std::size_t count) {
  return (node.is("pattern_list") || node.is("tuple_pattern")) && node.children().size() == count &&
         !node.text().ends_with(',');
}

/// The arguments of a call of a builtin, none of them starred or named but `strict`; empty for
/// anything else.
std::vector<Node> builtin_arguments(const Node& call, std::string_view builtin) {
  if (call.field("function").text() != builtin) return {};
  std::vector<Node> values;
  for (const GivenArgument& each : arguments_of(call).value_or(std::vector<GivenArgument>())) {
    if (each.name == "strict") continue;
    if (!each.name.empty()) return {};
    values.push_back(each.value);
  }
  return values;
}

/// The value that a class gives an attribute in its constructor, once and always; no node for any
/// other.
Node value_made_once(const Node& type, const std::string& attribute) {
  const auto made = assignments_of(type, attribute);
  const Node init = find_method(type, "__init__");
  if (made.size() != 1 || !init || !(made.front().parent().parent() == init.field("body")))
    return {};
  return made.front().field("right");
}

bool names_attribute(const Node& node, std::string_view attribute) {
  return node.is("attribute") && node.field("attribute").text() == attribute;
}

bool is_set(const Node& use) {
  const Node around = use.parent();
  return (around.is("augmented_assignment") || around.is("assignment")) &&
         around.field("left") == use;
}

/// Calls a method of a list that adds to it, assigns to it, or gives it another name.
bool may_grow(const Node& use) {
  const Node around = use.parent();
  if (around.is("attribute")) return contains(growers, around.field("attribute").text());
  return is_set(use) || (around.is("assignment") && around.field("right") == use);
}

/// Whether anything but the class's constructor changes it.
bool changes_elsewhere(const Node& type, const std::string& attribute, const PythonFile& file,
                       bool (*is_change)(const Node&)) {
  const Node init = find_method(type, "__init__");
  for (const Node& use : file.root().all("attribute")) {
    const bool others = use.field("object").text() != "self"; // `self.block.layers`
    if (!names_attribute(use, attribute) || init.contains(use) ||
        !(others || may_belong_to(use, type)))
      continue;
    if (is_change(use)) return true;
  }
  return std::ranges::any_of(file.root().all("string"), [&](const Node& text) {
    return text.text().size() == attribute.size() + 2 &&
           text.text().substr(1, attribute.size()) == attribute;
  });
}

/// `layers` of `self.layers`.
std::string attribute_of(const Node& value, const Method& method) {
  const bool own = value.is("attribute") && value.field("object").text() == method.self;
  return own ? std::string(value.field("attribute").text()) : std::string();
}

/// The attribute of `self.layers` where it holds modules that the class is made with.
std::string modules_of(const Node& value, const Method& method, const PythonFile& file) {
  const std::string attribute = attribute_of(value, method);
  const bool known = !attribute.empty() &&
                     can_be_run_along(value_made_once(method.type, attribute), file.imports()) &&
                     !changes_elsewhere(method.type, attribute, file, may_grow);
  return known ? attribute : std::string();
}

} // namespace

std::string number_kept_in(const Node& value, const Method& method, const PythonFile& file,
                           bool is_needed) {
  const std::string attribute = attribute_of(value, method);
  const Node made = attribute.empty() ? Node() : value_made_once(method.type, attribute);
  const bool known = made && (is_needed || is_whole_number(made)) &&
                     !changes_elsewhere(method.type, attribute, file, is_set);
  return known ? attribute : std::string();
}

Node counted_to(const Node& iterable) {
  const auto given = builtin_arguments(iterable, "range");
  return given.size() == 1 ? given.front() : Node();
}

namespace {

/// More would not be written out one by one.
constexpr std::size_t max_turns_of_range = 100;

std::size_t number_in(std::string_view digits) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_whole = error == std::errc() && end == digits.data() + digits.size();
  return is_whole && number <= max_turns_of_range ? number : 0;
}

/// How many elements are written out: 2 of `(q, k)`, 3 of `range(3)`; else 0.
std::size_t elements_written(const Node& iterable) {
  if (const Node number = counted_to(iterable); number.is("integer"))
    return number_in(number.text());
  if (!iterable.is("tuple") && !iterable.is("list")) return 0;
  const auto elements = iterable.children();
  const bool spreads = std::ranges::any_of(
      elements, [](const Node& each) { return each.is("list_splat") || each.is("comment"); });
  return spreads ? 0 : elements.size();
}

/// The `for … in …`; no node for a comprehension with several.
Node clause_of(const Node& statement) {
  if (statement.is("for_statement")) return statement;
  const auto clauses = statement.all("for_in_clause");
  return clauses.size() == 1 ? clauses.front() : Node();
}

/// `map(lambda a, b: …, x, y)`, `map(f, x)`
std::optional<ModuleLoop> elements_of_map(const Node& call) {
  const auto given = builtin_arguments(call, "map");
  if (given.size() < 2) return std::nullopt;
  const Node names = given.front().field("parameters");
  const auto all = names.children();
  const bool is_lambda = given.front().is("lambda");
  if (is_lambda && (all.size() + 1 != given.size() ||
                    !std::ranges::all_of(all, [](auto& each) { return each.is("identifier"); })))
    return std::nullopt;
  ModuleLoop loop{call, names, call};
  loop.zipped = true;
  return loop;
}

/// What yields the elements of a loop, and what they are called there.
std::optional<ModuleLoop> elements_of(const Node& statement) {
  if (statement.is("call")) return elements_of_map(statement);
  const Node clause = clause_of(statement);
  ModuleLoop loop{statement, clause.field("left"), clause.field("right")};
  if (const auto given = builtin_arguments(loop.iterable, "enumerate"); !given.empty()) {
    if (!is_target_of(loop.element, 2)) return std::nullopt;
    loop.element = loop.element.children().back();
    loop.iterable = given.front();
    loop.enumerated = true;
  }
  const auto zipped = builtin_arguments(loop.iterable, "zip");
  loop.zipped = !zipped.empty();
  if (loop.zipped && !is_target_of(loop.element, zipped.size())) return std::nullopt;
  return loop;
}

/// The name that numbers the iterations; empty for none.
std::string_view number_of_turn(const Node& clause) {
  const Node left = clause.field("left");
  const std::string_view function = clause.field("right").field("function").text();
  if (function == "range" && left.is("identifier")) return left.text();
  if (function != "enumerate" || !is_target_of(left, 2)) return {};
  const Node first = left.children().front();
  return first.is("identifier") ? first.text() : std::string_view();
}

/// Whether every iteration of a loop evaluates a node of its body, whatever the data.
bool runs_every_turn(const Node& node, const Node& body) {
  for (Node inside = node; !(inside == body); inside = inside.parent())
    if (!contains(evaluates_all, inside.parent().type())) return false;
  return std::ranges::none_of(early_ends, [&](const char* type) {
    const auto ends = body.all(type);
    return !ends.empty() && ends.front().begin() < node.begin();
  });
}

bool is_set_in(const Node& body, std::string_view name) {
  return std::ranges::any_of(body.identifiers(name), binds);
}

/// All that a loop runs along.
std::vector<Node> iterables_of(const ModuleLoop& loop) {
  if (!loop.zipped) return {loop.iterable};
  auto all = builtin_arguments(loop.iterable, called_name(loop.iterable));
  if (loop.statement.is("call")) all.erase(all.begin()); // the function
  return all;
}

/// Whether a module that runs at all runs the loop, so that it cannot be made without what that
/// needs.
bool always_runs(const Node& statement, const Node& method) {
  const Node whole = statement_of(statement);
  if (name_of(method) != "forward" || !(whole.parent() == method.field("body"))) return false;
  for (Node inside = statement; !(inside == whole); inside = inside.parent())
    if (!(inside.parent() == whole) && !contains(evaluates_all, inside.parent().type()))
      return false;
  const auto returns = method.all("return_statement");
  return returns.empty() || statement.begin() < returns.front().end();
}

/// Says how often a loop runs, if something that it runs along shows that.
void count_by(ModuleLoop& loop, const Node& iterable, const MethodOrReason& around,
              const PythonFile& file) {
  loop.turns = elements_written(iterable);
  const Node counted = counted_to(iterable);
  if (loop.turns == 0 && around.function &&
      contains(counting_parameters(around.function), counted.text()))
    loop.parameter = counted.text();
  if (loop.turns != 0 || !around.method) return;
  const auto& method = around.method;
  loop.is_counted = static_cast<bool>(counted);
  loop.attribute = counted ? number_kept_in(counted, *method, file,
                                            always_runs(loop.statement, method->function))
                           : modules_of(iterable, *method, file);
}

bool is_known(const ModuleLoop& loop) {
  return loop.turns != 0 || !loop.attribute.empty() || !loop.parameter.empty();
}

/// Whether `i` of `for i in range(3)` numbers its modules.
void find_number(ModuleLoop& loop) {
  if (!counted_to(loop.iterable) || loop.zipped || loop.enumerated) return;
  const std::string_view index = number_of_turn(clause_of(loop.statement));
  if (index != "_" && !is_set_in(loop.statement.field("body"), index)) loop.index = index;
}

/// Gives these modules to a loop whose iterations index them, as in `self.layers[i]`.
void find_indexed(ModuleLoop& loop, const Method& method, const PythonFile& file) {
  const std::string_view index = number_of_turn(clause_of(loop.statement));
  const Node body = loop.statement.field("body");
  if (index.empty() || is_set_in(body, index)) return;
  for (const Node& use : body.all("subscript")) {
    if (use.field("subscript").text() != index || !runs_every_turn(use, body)) continue;
    loop.attribute = modules_of(use.field("value"), method, file);
    if (loop.attribute.empty()) continue;
    loop.is_counted = false;
    loop.index = index;
    return;
  }
}

/// The `map` that calls a lambda; no node for any other lambda.
Node map_of(const Node& lambda) {
  const Node call = lambda.parent().parent();
  return call.field("function").text() == "map" && call.field("arguments") == lambda.parent() &&
                 lambda.parent().children().front() == lambda
             ? call
             : Node();
}

} // namespace

Node loop_around(const Node& node) {
  Node inside = node;
  for (Node around = node.parent(); around; inside = around, around = around.parent()) {
    if (contains({"function_definition", "while_statement"}, around.type())) return {};
    const bool runs_it = around.field("body") == inside;
    if (around.is("lambda")) return runs_it ? map_of(around) : Node();
    if (is_comprehension(around) && !is_first_iterable(around, inside, node))
      return runs_it ? around : Node();
    if (around.is("for_statement") && runs_it) return around;
  }
  return {};
}

std::optional<ModuleLoop> module_loop(const Node& statement, const PythonFile& file) {
  const MethodOrReason found = method_of(statement);
  auto loop = found.method || found.function ? elements_of(statement) : std::nullopt;
  if (!loop) return std::nullopt;
  for (const Node& each : iterables_of(*loop))
    if (!is_known(*loop)) count_by(*loop, each, found, file);
  if (is_known(*loop))
    find_number(*loop);
  else if (found.method && !statement.is("call"))
    find_indexed(*loop, *found.method, file);
  return is_known(*loop) ? loop : std::nullopt;
}

std::string turns_of(const ModuleLoop& loop, const std::string& self) {
  if (loop.turns != 0) return "range(" + std::to_string(loop.turns) + ')';
  if (!loop.parameter.empty()) return "range(" + loop.parameter + ')';
  const std::string attribute = self + '.' + loop.attribute;
  return loop.is_counted ? "range(" + attribute + ')' : attribute;
}

bool is_filled_before(const ModuleLoop& loop, const Method& method, const ConstructorSite& site) {
  if (loop.attribute.empty()) return true;
  const Node init = find_method(method.type, "__init__");
  return std::ranges::all_of(init.all("attribute"), [&](const Node& use) {
    return !names_attribute(use, loop.attribute) || use.end() <= site.offset;
  });
}

} // namespace model_validator::fixes
