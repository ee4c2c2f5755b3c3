#include "fixes/container.h"

#include "fixes/python/scope.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

std::vector<Node> uses_of(const std::string& name, SourceIndex& index) {
  std::vector<Node> found;
  if (name.empty()) return found;
  for (const Node& root : index.roots_naming(name, [](std::string_view) { return true; }))
    for (const Node& use : root.identifiers(name)) found.push_back(use);
  return found;
}

/// The class whose instance a variable is; no node where that is not shown.
Node class_of(const Node& variable, SourceIndex& index) {
  if (variable.text() == "self") return variable.around("class_definition");
  const Node function = variable.around("function_definition");
  const auto parameters = function.field("parameters").children();
  const auto means_another = [&](const Node& use) {
    return binds(use) && !parameters.front().contains(use);
  };
  if (parameters.empty() || name_of_parameter(parameters.front()).text() != variable.text() ||
      std::ranges::any_of(function.identifiers(variable.text()), means_another))
    return {};
  Node type;
  for (const Node& use : uses_of(name_of(function), index)) {
    const auto given = use.parent().field("arguments").children();
    if (use == function.field("name")) continue;
    const Node caller = use.around("class_definition");
    if (given.empty() || given.front().text() != "self" || (type && !(type == caller))) return {};
    type = caller;
  }
  return type;
}

/// `nn.Sequential(…)`, or a part of it: `self.blocks[:3]`.
bool is_made_by_torch(const Node& value, const Node& target, const Imports& imports) {
  if (value.is("subscript"))
    return value.field("value").text() == target.text() && value.field("subscript").is("slice");
  const std::string made = imports.resolve(value.field("function").text());
  constexpr std::string_view torch = "torch.nn.";
  return made.starts_with(torch) && made.find('.', torch.size()) == std::string::npos;
}

} // namespace

bool is_container(const Node& attribute, SourceIndex& index) {
  const std::string name(attribute.field("attribute").text());
  const Node type = class_of(attribute.field("object"), index);
  if (!type || index.is_set_outside(name)) return false;
  bool found = false;
  for (const Node& use : uses_of(name, index)) {
    const bool is_field = use.parent().is("attribute");
    const Node target = is_field ? use.parent() : use;
    const bool is_local =
        !is_field && !use.parent().is("function_definition") && use.around("function_definition");
    const Node around = target.parent();
    const bool only_tells_type = around.is("assignment") && !around.field("right");
    if (!binds(target) || is_local || only_tells_type) continue;
    if (!is_made_by_torch(around.field("right"), target, index.imports_of(use))) return false;
    found = found || type.contains(use);
  }
  return found;
}

} // namespace model_validator::fixes
