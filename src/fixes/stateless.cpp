#include "fixes/stateless.h"

#include "fixes/scope.h"

#include <algorithm>
#include <array>

namespace model_validator::fixes {
namespace {

constexpr std::string_view torch_nn = "torch.nn.";

/// What the names of torch's classes with state, or with modules of the caller's, begin with.
constexpr std::array with_state = {"AdaptiveLogSoftmax",
                                   "BatchNorm",
                                   "Bilinear",
                                   "Conv",
                                   "Embedding",
                                   "GRU",
                                   "GroupNorm",
                                   "Instance",
                                   "LSTM",
                                   "LayerNorm",
                                   "Lazy",
                                   "Linear",
                                   "Module",
                                   "Multihead",
                                   "PReLU",
                                   "Parameter",
                                   "RMSNorm",
                                   "RNN",
                                   "Sequential",
                                   "Sync",
                                   "Transformer",
                                   "Buffer",
                                   "CrossEntropy",
                                   "Uninitialized"};

bool is_stateless_of_torch(std::string_view full) {
  if (!full.starts_with(torch_nn)) return false;
  const std::string_view name = full.substr(full.rfind('.') + 1);
  return std::none_of(with_state.begin(), with_state.end(),
                      [&](const char* each) { return name.starts_with(each); });
}

/// Whether a class of the user's makes and keeps nothing but plain values.
bool is_stateless(const Node& type) {
  const std::string_view text = type.text();
  for (const char* word : {"Parameter(", "register_", "Buffer(", "setattr(", "add_module("})
    if (text.find(word) != std::string_view::npos) return false;
  Node root = type;
  while (const Node around = root.parent()) root = around;
  const Imports imports(root);
  const auto bases = type.field("superclasses").children();
  if (bases.size() != 1) return false;
  const std::string base = imports.resolve(bases.front().text());
  if (base != "torch.nn.Module" && !is_stateless_of_torch(base)) return false;
  // What its constructor keeps of modules has to be torch's own, without state.
  const auto calls = all_of(find_method(type, "__init__"), "call");
  return std::all_of(calls.begin(), calls.end(), [&](const Node& call) {
    const std::string full = imports.resolve(call.field("function").text());
    return !full.starts_with(torch_nn) ? call.field("function").text().find("super") == 0
                                       : is_stateless_of_torch(full);
  });
}

/// The expression without what it is given to: `act` of `act = nn.ReLU`, in its function.
std::vector<Node> values_of_local(const Node& name) {
  const Node function = name.around("function_definition");
  for (const Node& parameter : all_of(function.field("parameters"), "identifier"))
    if (parameter.text() == name.text()) return {};
  std::vector<Node> values;
  for (const Node& each : all_of(function, "assignment"))
    if (each.field("left").text() == name.text()) values.push_back(each.field("right"));
  return values;
}

bool is_stateless_class(const Node& callee, const Imports& imports, SourceIndex& index) {
  if (callee.is("conditional_expression"))
    return is_stateless_class(callee.children().front(), imports, index) &&
           is_stateless_class(callee.children().back(), imports, index);
  if (!callee.is("identifier") && !callee.is("attribute")) return false;
  const std::string full = imports.resolve(callee.text());
  if (is_stateless_of_torch(full)) return true;
  if (full.starts_with("torch.")) return false;
  if (callee.is("identifier")) {
    const auto locals = values_of_local(callee);
    if (!locals.empty())
      return std::all_of(locals.begin(), locals.end(), [&](const Node& each) {
        return !(each == callee) && is_stateless_class(each, imports, index);
      });
    for (const Node& parameter :
         all_of(callee.around("function_definition").field("parameters"), "identifier"))
      if (parameter.text() == callee.text()) return false;
  }
  const auto types = index.classes_named(std::string(callee.text()));
  return !types.empty() && std::all_of(types.begin(), types.end(), is_stateless);
}

} // namespace

bool makes_no_state(const Node& value, const Imports& imports, SourceIndex& index) {
  if (value.is("none")) return true;
  if (value.is("parenthesized_expression"))
    return makes_no_state(value.children().front(), imports, index);
  if (value.is("conditional_expression"))
    return makes_no_state(value.children().front(), imports, index) &&
           makes_no_state(value.children().back(), imports, index);
  if (value.is("identifier")) {
    const auto locals = values_of_local(value);
    return !locals.empty() && std::all_of(locals.begin(), locals.end(), [&](const Node& each) {
      return each.is("call") && makes_no_state(each, imports, index);
    });
  }
  return value.is("call") && is_stateless_class(value.field("function"), imports, index);
}

} // namespace model_validator::fixes
