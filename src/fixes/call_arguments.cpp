#include "fixes/call_arguments.h"

#include "fixes/number_types.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

bool is_list(const Node& node) { return node.is("list") || node.is("tuple"); }

bool is_signed_number(const Node& node) {
  return node.is("unary_operator") && is_literal(node.field("argument"));
}

} // namespace

std::optional<std::vector<GivenArgument>> arguments_of(const Node& call) {
  const Node list = call.field("arguments");
  if (!list.is("argument_list")) return std::nullopt;
  std::vector<GivenArgument> arguments;
  for (const Node& child : list.children()) {
    if (child.is("list_splat") || child.is("dictionary_splat")) return std::nullopt;
    if (child.is("keyword_argument"))
      arguments.push_back({child, child.field("value"), std::string(child.field("name").text())});
    else
      arguments.push_back({child, child, {}});
  }
  return arguments;
}

std::vector<GivenArgument> arguments_behind_tensor(const Operation& operation,
                                                   const std::vector<GivenArgument>& all) {
  const bool tensor_is_first = !operation.is_method() && !all.empty();
  return {all.begin() + (tensor_is_first ? 1 : 0), all.end()};
}

bool is_literal(const Node& node) {
  if (node.is("string"))
    return std::ranges::all_of(node.text(), [](char c) { return c != '{' && c != '\n'; });
  if (is_list(node)) {
    return std::ranges::all_of(node.children(), is_literal);
  }
  return node.is("integer") || node.is("float") || node.is("true") || node.is("false") ||
         node.is("none") || is_signed_number(node);
}

std::string type_of(const Node& node) {
  if (node.is("true") || node.is("false")) return "bool";
  if (node.is("attribute") && node.field("attribute").text() == "training") return "bool";
  if (node.is("string")) return "str";
  if (is_list(node)) {
    const auto elements = node.children();
    const std::string of = elements.empty() ? "int" : type_of(elements.front());
    return "List[" + (of.empty() ? "torch.Tensor" : of) + ']';
  }
  return number_type(node);
}

} // namespace model_validator::fixes
