#include "fixes/module_class.h"

#include <algorithm>
#include <set>

namespace model_validator::fixes {
namespace {

std::string parameter(const Argument& argument, bool typed) {
  const bool plain = !typed || argument.type.empty();
  return argument.name + (plain ? "" : ": " + argument.type);
}

std::string parameters(const ModuleClass& type, bool typed) {
  if (type.open) return "self, *args, **kwargs";
  if (type.variadic) return "self, *x";
  std::string text = "self";
  for (const Argument& argument : type.arguments) text += ", " + parameter(argument, typed);
  return text;
}

/// The declaration of one way to call it, for TorchScript; a tensor has to be named there.
std::string overload(const ModuleClass& type) {
  std::string text = "    @torch.jit._overload_method\n    def forward(self";
  for (const Argument& argument : type.arguments)
    text += ", " + argument.name + ": " + (argument.type.empty() ? "torch.Tensor" : argument.type);
  return text + "):\n        pass\n\n";
}

} // namespace

std::vector<ModuleClass> ways_of(const ModuleClass& type) {
  const auto open =
      std::find_if(type.arguments.begin(), type.arguments.end(), [](const Argument& each) {
        return each.type == any_number || each.type == any_value;
      });
  if (open == type.arguments.end()) return {type};
  std::vector<std::string> types = {"float", "int"};
  if (open->type == any_value) types.emplace_back();
  std::vector<ModuleClass> ways;
  for (const std::string& each : types) {
    ways.push_back(type);
    ways.back().arguments[static_cast<std::size_t>(open - type.arguments.begin())].type = each;
  }
  return ways;
}

std::string source_of(const std::vector<ModuleClass>& classes) {
  const ModuleClass& first = classes.front();
  std::string text = "class " + first.name + "(nn.Module):\n";
  if (!first.constructor.empty()) text += first.constructor + '\n';
  const std::set<ModuleClass> ways(classes.begin(), classes.end());
  const bool overloaded = ways.size() > 1;
  if (overloaded)
    for (const ModuleClass& way : ways) text += overload(way);
  return text + "    def forward(" + parameters(first, !overloaded) + "):\n        return " +
         first.body + '\n';
}

std::string module_file_head() {
  return "\"\"\"Operations as modules, so that each call of one has a module of its own.\n\n"
         "Made by `model_validator fix`.\n\"\"\"\n\nimport torch\nfrom torch import nn\n";
}

} // namespace model_validator::fixes
