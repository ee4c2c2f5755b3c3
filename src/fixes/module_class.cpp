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

constexpr std::string_view tensor_class = "torch.Tensor";

/// Where the first operand is not a tensor, TorchScript has to know which kind of number it is.
std::vector<std::string_view> kinds_apart(const Argument& argument, bool first) {
  std::vector<std::string_view> kinds;
  if (argument.type == any_value) kinds.push_back(tensor_class);
  if (first && (argument.type == any_value || argument.type == any_number)) kinds.push_back("int");
  return kinds;
}

std::string returned(const ModuleClass& type, bool writes, const std::string& indent) {
  if (!writes) return indent + "return " + type.body + '\n';
  std::string statement = type.body;
  statement.insert(statement.rfind(' '), "=");
  return indent + statement + '\n' + indent + "return input\n";
}

/// `forward`, with a branch for each kind of operand that TorchScript computes with differently.
std::string body_of(const ModuleClass& type) {
  std::string text;
  bool writes = type.in_place; // into a tensor, not into a number
  for (const Argument& argument : type.arguments) {
    const bool first = &argument == &type.arguments.front();
    for (const std::string_view kind : kinds_apart(argument, first)) {
      text += "        if isinstance(" + argument.name + ", " + std::string(kind) + "):\n" +
              returned(type, writes && !(first && kind != tensor_class), "            ");
      writes = writes && !(first && kind == tensor_class);
    }
  }
  return text + returned(type, writes, "        ");
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
