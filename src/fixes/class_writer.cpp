#include "fixes/class_writer.h"

#include "fixes/number_types.h"
#include "fixes/torch_parameters.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

constexpr std::string_view functional = "torch.nn.functional.";

/// The type of an argument whose parameter is known.
std::string type_for(const TorchParameter& parameter, const std::string& given) {
  // What may be a float may be an integer as well, which TorchScript does not turn into one.
  const bool whole = given == "int" && parameter.type == "Optional[float]";
  // `interpolate` takes one scale as well, and TorchScript makes no list of it.
  const bool one = given == "float" && parameter.type == "Optional[List[float]]";
  const bool optional = parameter.type.starts_with("Optional") && !whole && !one;
  // The elements of a list that are computed are numbers where the function takes numbers.
  const bool computed =
      given == "List[torch.Tensor]" && parameter.type.find("int") != std::string_view::npos;
  return given.empty() || optional || computed ? std::string(parameter.type) : given;
}

/// An argument whose parameter is not known.
Argument guessed(Argument argument, std::size_t place) {
  if (argument.name == "inplace" || argument.name == "training") argument.type = "bool";
  if (argument.name == "dtype") argument.type = "Optional[int]"; // as TorchScript counts them
  if (argument.name.empty()) argument.name = "arg" + std::to_string(place + 1);
  return argument;
}

} // namespace

ModuleClass ClassWriter::written(std::string body, std::vector<Argument> arguments) const {
  return {rewrite_.class_name, std::move(body), std::move(arguments), {}};
}

/// A number is typed whatever the file: an edit of a traced model must not keep its class from
/// being scripted.
Argument ClassWriter::operand(std::string name, const Node& value) const {
  return {std::move(name), compiled_ ? type_of(value) : number_type(value), false};
}

ModuleClass ClassWriter::of_sign() const {
  const std::string sign(operation_.node.field("operator").text());
  return written(sign + "input", {operand("input", operation_.node.field("argument"))});
}

/// A scripted model says whether one of the operands is a number; a traced one does not.
void ClassWriter::annotate_scalar(const Node& left, const Node& right, Argument& input,
                                  Argument& other) const {
  if (!input.type.empty() || !other.type.empty()) return;
  if (rewrite_.scripted && rewrite_.schema.find("Scalar") == std::string::npos) return;
  const bool first = may_be_number(left) && !may_be_number(right);
  if (rewrite_.scripted)
    (first ? input : other).type = any_number;
  else if (may_be_number(left) != may_be_number(right))
    (first ? input : other).type = any_value;
}

bool ClassWriter::is_dynamic() const { return rewrite_.class_name.starts_with("Dynamic"); }

bool ClassWriter::has_operator() const { return !sign_of(operation_.name).empty(); }

ModuleClass ClassWriter::of_operator(const Node& left, const Node& right) const {
  const std::string sign(sign_of(operation_.name));
  Argument input = operand("input", left);
  Argument other = operand("other", right);
  annotate_scalar(left, right, input, other);
  if (other.is_number()) other.type = any_number;
  return written("input " + sign + " other", {std::move(input), std::move(other)});
}

ModuleClass ClassWriter::of_in_place_operator(const Node& left, const Node& right) const {
  ModuleClass type = of_operator(left, right);
  if (type.arguments.front().is_number()) return type; // no code has the number by another name
  type.name += "InPlace";
  type.in_place = true;
  return type;
}

ModuleClass ClassWriter::of_concatenation() const {
  return {"Concat",
          "torch.cat(x, dim=self.axis)",
          {{"x", "List[torch.Tensor]", false}},
          "    def __init__(self, axis: int = 0):\n        "
          "super().__init__()\n        self.axis = axis\n"};
}

ModuleClass ClassWriter::of_sum() const {
  return written("sum(tensors)", {{"tensors", {}, false}});
}

ModuleClass ClassWriter::of_unpacking() const {
  // What is no tensor may grow or be made while a loop runs along it. A script has tensors alone.
  return written("tensors.unbind(0) if torch.jit.is_scripting() or isinstance(tensors, "
                 "torch.Tensor) and tensors.dim() > 0 else tensors",
                 {{"tensors", {}, false}});
}

std::string ClassWriter::method_name() const {
  return std::string(operation_.node.field("function").field("attribute").text());
}

std::string ClassWriter::function_text() const {
  if (operation_.is_method()) return "torch.Tensor." + method_name();
  if (operation_.function.starts_with(functional))
    return "nn.functional." + operation_.function.substr(functional.size());
  return operation_.function;
}

ModuleClass ClassWriter::of_any_call() const {
  ModuleClass type = written(function_text() + "(*args, **kwargs)", {});
  type.open = true;
  return type;
}

/// Whether the tensor is among the arguments, and not given by its name.
bool ClassWriter::begins_with_tensor(const std::vector<GivenArgument>& given) const {
  return !operation_.is_method() && !given.empty() && given.front().name.empty();
}

Argument ClassWriter::tensor_argument(const Node& value) const {
  const bool list = operation_.name == "stack" || operation_.name == "cat";
  const char* name = operation_.name == "stack"   ? "tensors"
                     : operation_.name == "where" ? "condition"
                                                  : "input";
  return {name, list ? "List[torch.Tensor]" : type_of(value), false};
}

/// `torch.max(a, b)` takes a tensor where `torch.max(a, 1)` takes a dim.
bool ClassWriter::is_second_operand(const GivenArgument& given, const Argument& argument) const {
  if (operation_.name != "max" && operation_.name != "min") return false;
  if (!given.name.empty() || !argument.type.empty()) return false;
  if (rewrite_.schema.ends_with(".other")) return true;
  return !rewrite_.scripted && !may_be_number(given.value);
}

/// @param place  among the arguments behind the tensor
Argument ClassWriter::typed(const GivenArgument& given, std::size_t place) const {
  const auto& known = torch_parameters(operation_.name);
  const auto found = std::ranges::find_if(known, [&](const TorchParameter& each) {
    return given.name.empty() ? &each == known.data() + place : each.name == given.name;
  });
  Argument argument{given.name, type_of(given.value), !given.name.empty()};
  if (found == known.end() && given.value.is("none")) argument.type = "Optional[torch.Tensor]";
  if (found == known.end()) return guessed(std::move(argument), place);
  if (is_second_operand(given, argument)) return {"other", {}, false};
  argument.name = found->name;
  argument.type = type_for(*found, argument.type);
  return argument;
}

/// Whether an argument may be a number or several.
bool ClassWriter::is_one_or_several(const Argument& argument) const {
  const bool either = argument.name == "scale_factor" || argument.name == "dim" ||
                      operation_.name.starts_with("adaptive_");
  return either && (argument.type.empty() || argument.type.find("List") != std::string::npos);
}

Node ClassWriter::unclear_argument(const std::vector<GivenArgument>& given) const {
  const std::size_t first = begins_with_tensor(given) ? 1 : 0;
  for (std::size_t i = first; i < given.size(); ++i) {
    const Node& value = given[i].value;
    if ((value.is("attribute") || value.is("identifier")) &&
        is_one_or_several(typed(given[i], i - first)))
      return value;
  }
  return {};
}

ModuleClass ClassWriter::of_typed_call(const std::vector<GivenArgument>& given) const {
  std::vector<Argument> arguments;
  if (begins_with_tensor(given)) arguments.push_back(tensor_argument(given.front().value));
  const std::size_t first = arguments.size();
  for (std::size_t i = first; i < given.size(); ++i)
    arguments.push_back(typed(given[i], i - first));
  std::string passed;
  for (const Argument& each : arguments)
    passed += (passed.empty() ? "" : ", ") + (each.keyword ? each.name + '=' : "") + each.name;
  if (!operation_.is_method())
    return written(function_text() + '(' + passed + ')', std::move(arguments));
  arguments.insert(arguments.begin(), {"input", {}, false});
  return written("input." + method_name() + '(' + passed + ')', std::move(arguments));
}

} // namespace model_validator::fixes
