#include "fixes/child_looks.h"

#include "fixes/scope.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace model_validator::fixes {
namespace {

constexpr std::array direct = {"children", "named_children"};
constexpr std::array deep = {"modules", "named_modules"};
/// What asks a module only for its weights, or does the same to every module.
constexpr std::array of_weights = {"parameters",
                                   "named_parameters",
                                   "buffers",
                                   "named_buffers",
                                   "weight",
                                   "bias",
                                   "requires_grad_",
                                   "reset_parameters",
                                   "eval",
                                   "train",
                                   "running_mean",
                                   "running_var",
                                   "num_batches_tracked",
                                   "_parameters",
                                   "_buffers"};
/// What passes its argument on in the same order.
constexpr std::array passes_on = {"list", "tuple", "reversed"};
constexpr std::array containers_of_torch = {"Sequential", "ModuleList", "ModuleDict"};

template <std::size_t N>
bool is_any(const std::array<const char*, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view last_name_of(const Node& node) {
  return (node.is("attribute") ? node.field("attribute") : node).text();
}

/// The classes of `isinstance(m, (nn.ReLU, Swish))`, if a condition asks no less than that of a
/// name.
std::optional<std::set<std::string>> classes_asked_for(const Node& condition,
                                                       std::string_view name) {
  if (condition.is("parenthesized_expression"))
    return classes_asked_for(condition.children().front(), name);
  if (condition.is("boolean_operator")) {
    auto left = classes_asked_for(condition.field("left"), name);
    auto right = classes_asked_for(condition.field("right"), name);
    const bool both = condition.field("operator").text() == "and";
    if (both) return left ? left : right;
    if (left && right) left->merge(*right);
    return right ? left : std::nullopt;
  }
  const auto arguments = condition.field("arguments").children();
  if (condition.field("function").text() != "isinstance" || arguments.size() != 2 ||
      arguments.front().text() != name)
    return std::nullopt;
  std::set<std::string> classes;
  const Node asked = arguments.back();
  for (const Node& each : asked.is("tuple") ? asked.children() : std::vector{asked})
    classes.emplace(last_name_of(each));
  return classes;
}

/// The name of the module in what a loop assigns: the last of `name, module`.
std::string_view module_name(const Node& target) {
  if (target.is("pattern_list") || target.is("tuple_pattern"))
    return module_name(target.children().back());
  return target.text();
}

/// What a loop does with a module and with its name.
class Loop {
public:
  Loop(const Node& target, const Node& body) : name_(module_name(target)), body_(body) {
    for (const Node& each : all_of(target, "identifier")) names_.emplace(each.text());
  }

  /// Nothing where it does not matter which modules there are.
  std::optional<std::set<std::string>> looks_for() {
    for (const Node& use : all_of(body_, "identifier"))
      if (names_.count(use.text()) != 0 && !is_field_name(use)) look(use);
    if (any_) return std::set<std::string>();
    return types_.empty() ? std::nullopt : std::optional(types_);
  }

private:
  static bool is_field_name(const Node& use) {
    const Node around = use.parent();
    return (around.is("attribute") && around.field("attribute") == use) ||
           (around.is("keyword_argument") && around.field("name") == use);
  }

  void look(const Node& use) {
    const Node around = use.parent();
    if (around.is("attribute") && is_any(of_weights, around.field("attribute").text())) return;
    const Node call = around.is("argument_list") ? around.parent() : Node();
    const std::string_view called = call ? called_name(call) : std::string_view();
    if (called == "isinstance" || called == "hasattr") return;
    if (called == "getattr" && is_weight(call)) return;
    if (visits(use)) return;
    if (const auto types = condition_around(use))
      types_.insert(types->begin(), types->end());
    else
      any_ = true;
  }

  /// Whether a function is given it that calls itself, and so visits all modules.
  bool visits(const Node& use) const {
    const std::string function = name_of(use.around("function_definition"));
    for (Node node = use.parent(); node && body_.contains(node); node = node.parent())
      if (node.is("call") && called_name(node) == function) return true;
    return false;
  }

  static bool is_weight(const Node& call) {
    const auto arguments = call.field("arguments").children();
    return arguments.size() > 1 && arguments[1].text().size() > 2 &&
           is_any(of_weights, arguments[1].text().substr(1, arguments[1].text().size() - 2));
  }

  std::optional<std::set<std::string>> condition_around(const Node& use) const {
    Node inside = use;
    for (Node node = use.parent(); node && body_.contains(node);
         inside = node, node = node.parent())
      if ((node.is("if_statement") && node.field("consequence") == inside) ||
          (node.is("elif_clause") && node.field("consequence") == inside))
        if (auto types = classes_asked_for(node.field("condition"), name_)) return types;
    return std::nullopt;
  }

  std::string name_;
  std::set<std::string, std::less<>> names_;
  Node body_;
  std::set<std::string> types_;
  bool any_ = false;
};

/// What is asked of the modules that a call yields; nothing where it does not matter which there
/// are, the empty set for any.
std::optional<std::set<std::string>> looks_for(const Node& call) {
  Node value = call;
  while (value.parent().is("argument_list") &&
         is_any(passes_on, called_name(value.parent().parent())))
    value = value.parent().parent();
  const Node around = value.parent();
  if (around.is("for_statement") && around.field("right") == value)
    return Loop(around.field("left"), around.field("body")).looks_for();
  if (!around.is("for_in_clause") || !(around.field("right") == value))
    return std::set<std::string>();
  const Node comprehension = around.parent();
  const std::string_view name = module_name(around.field("left"));
  for (const Node& each : comprehension.children())
    if (each.is("if_clause"))
      if (auto types = classes_asked_for(each.children().front(), name)) return types;
  return Loop(around.field("left"), comprehension.field("body")).looks_for();
}

bool makes_container(const Node& value) {
  return value.is("call") && is_any(containers_of_torch, called_name(value));
}

/// Whether all that a receiver is ever given are lists of torch's, which no edit gives a child.
bool is_container_of_torch(const Node& receiver) {
  const Node scope =
      receiver.around(receiver.is("attribute") ? "class_definition" : "function_definition");
  if (!scope) return false;
  std::size_t made = 0;
  for (const Node& each : all_of(scope, "assignment")) {
    if (each.field("left").text() != receiver.text()) continue;
    if (!makes_container(each.field("right"))) return false;
    ++made;
  }
  return made > 0;
}

std::optional<ChildLook> look_of(const Node& call, const Node& receiver, bool is_deep,
                                 std::optional<std::set<std::string>> types) {
  if (!types || is_container_of_torch(receiver)) return std::nullopt;
  ChildLook look{'`' + std::string(call.text().substr(0, 60)) + "` in line " +
                     std::to_string(call.first_line()),
                 {},
                 std::move(*types)};
  const Node type = call.around("class_definition");
  if (!is_deep && type && (receiver.text() == "self" || receiver.text() == "super()"))
    look.own_class = name_of(type);
  return look;
}

std::optional<ChildLook> look_at(const Node& call) {
  const Node callee = call.field("function");
  if (!callee.is("attribute")) return std::nullopt;
  const std::string_view name = callee.field("attribute").text();
  if (!is_any(direct, name) && !is_any(deep, name)) return std::nullopt;
  return look_of(call, callee.field("object"), is_any(deep, name), looks_for(call));
}

/// `net._modules`, whatever is done with it.
std::optional<ChildLook> look_inside(const Node& attribute) {
  if (attribute.field("attribute").text() != "_modules") return std::nullopt;
  return look_of(attribute, attribute.field("object"), false, std::set<std::string>());
}

} // namespace

std::vector<ChildLook> looks_at_children(SourceIndex& index) {
  std::vector<ChildLook> looks;
  for (const Node& root : index.roots_with(
           {"children()", "named_children(", "modules()", "named_modules(", "._modules"})) {
    const std::string file = std::filesystem::path(index.path_of(root)).filename().string();
    const auto add = [&](std::optional<ChildLook> look) {
      if (!look) return;
      look->place += " of `" + file + '`';
      looks.push_back(std::move(*look));
    };
    for (const Node& call : all_of(root, "call")) add(look_at(call));
    for (const Node& attribute : all_of(root, "attribute")) add(look_inside(attribute));
  }
  return looks;
}

bool notices(const ChildLook& look, const ClassFamily& family, const std::string& child_class) {
  if (!look.own_class.empty() && family.classes.count(look.own_class) == 0) return false;
  return look.types.empty() || child_class.empty() || look.types.count("Module") != 0 ||
         look.types.count(child_class) != 0;
}

} // namespace model_validator::fixes
