#include "fixes/module_loop.h"

#include "fixes/call_arguments.h"
#include "fixes/planned_files.h"

#include <algorithm>
#include <array>
#include <limits>

namespace model_validator::fixes {
namespace {

constexpr std::array lists = {"torch.nn.ModuleList", "torch.nn.Sequential"};
constexpr std::array growers = {"append", "extend", "insert", "add_module", "__setitem__"};
constexpr std::ptrdiff_t last_of_all = std::numeric_limits<std::ptrdiff_t>::max();

bool is_target_of(const Node& node, std::size_t count) {
  return (node.is("pattern_list") || node.is("tuple_pattern")) && node.children().size() == count &&
         !node.text().ends_with(',');
}

/// The arguments of a call of a builtin, none of them starred or named; empty for anything else.
std::vector<Node> builtin_arguments(const Node& call, std::string_view builtin) {
  if (call.field("function").text() != builtin) return {};
  std::vector<Node> values;
  for (const GivenArgument& each : arguments_of(call).value_or(std::vector<GivenArgument>())) {
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
  return value.is("call") && std::find(lists.begin(), lists.end(), full) != lists.end();
}

bool names_attribute(const Node& node, std::string_view attribute) {
  return node.is("attribute") && node.field("attribute").text() == attribute;
}

/// Whether anything but the class's constructor puts modules there.
bool grows_elsewhere(const Node& type, const std::string& attribute, const PythonFile& file) {
  const Node init = find_method(type, "__init__");
  for (const Node& use : all_of(file.root(), "attribute")) {
    if (!names_attribute(use, attribute) || init.contains(use) || !may_belong_to(use, type))
      continue;
    const Node around = use.parent();
    const bool grown =
        around.is("attribute") && std::find(growers.begin(), growers.end(),
                                            around.field("attribute").text()) != growers.end();
    const bool given = (around.is("assignment") || around.is("augmented_assignment")) &&
                       around.field("left") == use;
    if (grown || given) return true;
  }
  return false;
}

/// The attribute of `self.layers` where it holds modules that the class makes.
std::string modules_of(const Node& value, const Method& method, const PythonFile& file) {
  if (!value.is("attribute") || value.field("object").text() != method.self) return {};
  const std::string attribute(value.field("attribute").text());
  const bool known =
      makes_modules(method.type, attribute, file) && !grows_elsewhere(method.type, attribute, file);
  return known ? attribute : std::string();
}

/// What gives the elements of a loop, and what they are called there.
std::optional<ModuleLoop> elements_of(const Node& statement) {
  ModuleLoop loop{statement, statement.field("left"), statement.field("right"), {}};
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

} // namespace

Node loop_around(const Node& node) {
  Node inside = node;
  for (Node around = node.parent(); around; inside = around, around = around.parent()) {
    if (around.is("function_definition") || around.is("lambda") || around.is("while_statement") ||
        around.type().ends_with("comprehension") || around.is("generator_expression"))
      return {};
    if (around.is("for_statement") && around.field("body") == inside) return around;
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
  return loop->modules.empty() ? std::nullopt : loop;
}

bool is_filled_before(const ModuleLoop& loop, const Method& method, const ConstructorSite& site) {
  const Node init = find_method(method.type, "__init__");
  const auto uses = all_of(init, "attribute");
  return std::all_of(uses.begin(), uses.end(), [&](const Node& use) {
    return !names_attribute(use, loop.modules) || use.end() <= site.offset;
  });
}

std::string plural(const std::string& name) {
  if (name.ends_with('s') || name.ends_with('x') || name.ends_with("ch") || name.ends_with("sh"))
    return name + "es";
  return name + 's';
}

TurnModules turn_modules(const std::string& name, const std::string& attribute,
                         const PythonFile& file) {
  const std::string number = attribute.substr(plural(name).size());
  for (const std::string& each : {name, name + "_module"})
    if (!file.uses(each + number)) return {attribute, each + number};
  throw Refusal{"it stands in a loop, where the name `" + name + "` is taken"};
}

std::vector<TextEdit> run_along(const ModuleLoop& loop, const TurnModules& modules,
                                const std::string& self, const Node& user) {
  std::vector<TextEdit> edits;
  const auto insert = [&](std::size_t at, std::string text, std::ptrdiff_t rank) {
    edits.push_back({at, at, std::move(text), rank});
  };
  const auto rank = static_cast<std::ptrdiff_t>(user.begin()) + 1;
  const std::string value = ", " + self + '.' + modules.attribute;
  if (loop.zipped) {
    const std::size_t bracket = loop.element.is("tuple_pattern") ? 1 : 0;
    insert(loop.element.end() - bracket, ", " + modules.name, rank);
    insert(loop.iterable.field("arguments").children().back().end(), value, rank);
    return edits;
  }
  const Node& element = loop.element;
  if (element.is("pattern_list")) {
    insert(element.begin(), "(", 0);
    insert(element.end(), ")", 0);
  }
  if (loop.enumerated) insert(element.begin(), "(", -1);
  insert(element.end(), ", " + modules.name, rank);
  if (loop.enumerated) insert(element.end(), ")", last_of_all);
  insert(loop.iterable.begin(), "zip(", 0);
  insert(loop.iterable.end(), value, rank);
  insert(loop.iterable.end(), ")", last_of_all);
  return edits;
}

std::string one_a_turn(const std::string& constructor, const ModuleLoop& loop, Draft& draft) {
  const std::string list = imported(draft, {"torch", "nn"}) + ".ModuleList";
  return list + "([" + constructor + " for _ in " + draft.site.self + '.' + loop.modules + "])";
}

} // namespace model_validator::fixes
