#include "fixes/module_loop.h"

#include "fixes/call_arguments.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <vector>

namespace model_validator::fixes {
namespace {

constexpr std::array lists = {"torch.nn.ModuleList", "torch.nn.Sequential"};
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

/// Whether a class makes modules of torch's under a name, in its constructor and once.
bool makes_modules(const Node& type, const std::string& attribute, const PythonFile& file) {
  const auto made = assignments_of(type, attribute);
  const Node init = find_method(type, "__init__");
  if (made.size() != 1 || !init || !(made.front().parent().parent() == init.field("body")))
    return false;
  const Node value = made.front().field("right");
  const std::string full = file.imports().resolve(value.field("function").text());
  return value.is("call") && contains(lists, full);
}

bool names_attribute(const Node& node, std::string_view attribute) {
  return node.is("attribute") && node.field("attribute").text() == attribute;
}

/// Calls a method of a list that adds to it, assigns to it, or gives it another name.
bool may_grow(const Node& use) {
  const Node around = use.parent();
  if (around.is("attribute")) return contains(growers, around.field("attribute").text());
  if (around.is("augmented_assignment")) return around.field("left") == use;
  return around.is("assignment") && (around.field("left") == use || around.field("right") == use);
}

/// Whether anything but the class's constructor puts modules there.
bool grows_elsewhere(const Node& type, const std::string& attribute, const PythonFile& file) {
  const Node init = find_method(type, "__init__");
  for (const Node& use : file.root().all("attribute")) {
    const bool others = use.field("object").text() != "self"; // `self.block.layers`
    if (!names_attribute(use, attribute) || init.contains(use) ||
        !(others || may_belong_to(use, type)))
      continue;
    if (may_grow(use)) return true;
  }
  return std::ranges::any_of(file.root().all("string"), [&](const Node& text) {
    return text.text().size() == attribute.size() + 2 &&
           text.text().substr(1, attribute.size()) == attribute;
  });
}

/// The attribute of `self.layers` where it holds modules that the class makes.
std::string modules_of(const Node& value, const Method& method, const PythonFile& file) {
  if (!value.is("attribute") || value.field("object").text() != method.self) return {};
  const std::string attribute(value.field("attribute").text());
  const bool known =
      makes_modules(method.type, attribute, file) && !grows_elsewhere(method.type, attribute, file);
  return known ? attribute : std::string();
}

/// The `for … in …`; no node for a comprehension with several.
Node clause_of(const Node& statement) {
  if (statement.is("for_statement")) return statement;
  const auto clauses = statement.all("for_in_clause");
  return clauses.size() == 1 ? clauses.front() : Node();
}

/// What yields the elements of a loop, and what they are called there.
std::optional<ModuleLoop> elements_of(const Node& statement) {
  const Node clause = clause_of(statement);
  ModuleLoop loop{statement, clause.field("left"), clause.field("right"), {}, {}};
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

/// Gives these modules to a loop whose iterations index them, as in `self.layers[i]`.
void find_indexed(ModuleLoop& loop, const Method& method, const PythonFile& file) {
  const std::string_view index = number_of_turn(clause_of(loop.statement));
  const Node body = loop.statement.field("body");
  if (index.empty() || is_set_in(body, index)) return;
  for (const Node& use : body.all("subscript")) {
    if (use.field("subscript").text() != index || !runs_every_turn(use, body)) continue;
    loop.modules = modules_of(use.field("value"), method, file);
    if (loop.modules.empty()) continue;
    loop.index = index;
    return;
  }
}

} // namespace

Node loop_around(const Node& node) {
  Node inside = node;
  for (Node around = node.parent(); around; inside = around, around = around.parent()) {
    if (around.is("function_definition") || around.is("lambda") || around.is("while_statement"))
      return {};
    const bool runs_it = around.field("body") == inside;
    if (is_comprehension(around) && !is_first_iterable(around, inside, node))
      return runs_it ? around : Node();
    if (around.is("for_statement") && runs_it) return around;
  }
  return {};
}

std::optional<ModuleLoop> module_loop(const Node& statement, const PythonFile& file) {
  const MethodOrReason found = method_of(statement);
  auto loop = found.method ? elements_of(statement) : std::nullopt;
  if (!loop) return std::nullopt;
  const auto zipped = builtin_arguments(loop->iterable, "zip");
  for (const Node& each : loop->zipped ? zipped : std::vector{loop->iterable})
    if (loop->modules.empty()) loop->modules = modules_of(each, *found.method, file);
  if (loop->modules.empty()) find_indexed(*loop, *found.method, file);
  return loop->modules.empty() ? std::nullopt : loop;
}

bool is_filled_before(const ModuleLoop& loop, const Method& method, const ConstructorSite& site) {
  const Node init = find_method(method.type, "__init__");
  return std::ranges::all_of(init.all("attribute"), [&](const Node& use) {
    return !names_attribute(use, loop.modules) || use.end() <= site.offset;
  });
}

} // namespace model_validator::fixes
