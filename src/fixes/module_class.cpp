#include "fixes/module_class.h"

namespace model_validator::fixes {
namespace {

std::string parameter(const Argument& argument) {
  return argument.name + (argument.type.empty() ? "" : ": " + argument.type);
}

std::string parameters(const ModuleClass& type) {
  if (type.open) return "self, *args, **kwargs";
  std::string text = "self";
  for (const Argument& argument : type.arguments) text += ", " + parameter(argument);
  return text;
}

/// Where the first operand is not a tensor, TorchScript has to know which kind of number it is.
std::vector<const char*> kinds_apart(const Argument& argument, bool first) {
  std::vector<const char*> kinds;
  if (argument.type == any_value) kinds.push_back("torch.Tensor");
  if (first && (argument.type == any_value || argument.type == any_number)) kinds.push_back("int");
  return kinds;
}

std::string returned(const ModuleClass& type, const std::string& indent) {
  if (!type.in_place) return indent + "return " + type.body + '\n';
  return indent + type.body + '\n' + indent + "return input\n";
}

/// `forward`, with a branch for each kind of operand that TorchScript computes with differently.
std::string body_of(const ModuleClass& type) {
  std::string text;
  for (const Argument& argument : type.arguments)
    for (const char* kind : kinds_apart(argument, &argument == &type.arguments.front()))
      text += "        if isinstance(" + argument.name + ", " + kind + "):\n" +
              returned(type, "            ");
  return text + returned(type, "        ");
}

} // namespace

std::string source_of(const ModuleClass& type) {
  std::string text = "class " + type.name + "(nn.Module):\n";
  if (!type.constructor.empty()) text += type.constructor + '\n';
  return text + "    def forward(" + parameters(type) + "):\n" + body_of(type);
}

std::string module_file_head() {
  return "\"\"\"Operations as modules, so that each call of one has a module of its own.\n\n"
         "Made by `model_validator fix`.\n\"\"\"\n\nimport torch\nfrom torch import nn\n";
}

} // namespace model_validator::fixes
