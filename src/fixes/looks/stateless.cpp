#include "fixes/looks/stateless.h"

#include "fixes/python/scope.h"
#include "validators/suggestions/torch_classes.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

constexpr std::string_view torch_nn = "torch.nn.";

bool is_stateless_of_torch(std::string_view full) {
  const std::string_view name = full.substr(full.rfind('.') + 1);
  return full.starts_with(torch_nn) && find_torch_class(name) && !has_state(name);
}

bool changes_anything(const Node& function) {
  for (const char* way : {"augmented_assignment", "global_statement", "nonlocal_statement"})
    if (!function.all(way).empty()) return true;
  for (const Node& each : function.all("assignment"))
    if (!each.field("left").is("identifier")) return true;
  for (const Node& call : function.all("call"))
    for (const char* way : {"setattr", "append", "add", "add_module", "update", "next", "pop"})
      if (called_name(call) == way || called_name(call).starts_with("register_")) return true;
  return false;
}

/// Whether a statement only calls functions of the source that change nothing: a log of what is
/// used.
bool only_reads(const Node& call, SourceIndex& index) {
  if (!call.parent().is("expression_statement")) return false;
  const auto& functions = index.functions_named(std::string(called_name(call)));
  return !functions.empty() &&
         std::all_of(functions.begin(), functions.end(),
                     [](const Node& each) { return !changes_anything(each); });
}

/// Whether a class of the user's makes and keeps nothing but plain values.
bool is_stateless(const Node& type, SourceIndex& index) {
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
  const auto calls = find_method(type, "__init__").all("call");
  return std::all_of(calls.begin(), calls.end(), [&](const Node& call) {
    const std::string full = imports.resolve(call.field("function").text());
    if (full.starts_with(torch_nn)) return is_stateless_of_torch(full);
    return call.field("function").text().find("super") == 0 || only_reads(call, index);
  });
}

/// The expression without what it is given to: `act` of `act = nn.ReLU`, in its function.
std::vector<Node> values_of_local(const Node& name) {
  const Node function = name.around("function_definition");
  for (const Node& parameter : function.field("parameters").all("identifier"))
    if (parameter.text() == name.text()) return {};
  std::vector<Node> values;
  for (const Node& each : function.all("assignment"))
    if (each.field("left").text() == name.text()) values.push_back(each.field("right"));
  return values;
}

bool is_stateless_class(const Node& callee, const Imports& imports, SourceIndex& index);

/// `KINDS[name]` of a file's `KINDS = {"relu": nn.ReLU, …}` that nothing adds to.
bool is_entry_without_state(const Node& entry, const Imports& imports, SourceIndex& index) {
  const std::string_view table = entry.field("value").text();
  Node made;
  for (const Node& use : index.uses_of(std::string(table))) {
    const Node around = use.parent();
    if (around.is("assignment") && around.field("left") == use && !made)
      made = around.field("right");
    else if ((around.is("subscript") && around.parent().field("left") == around) ||
             around.is("attribute") || around.field("left") == use)
      if (around.field("attribute").text() != "keys") return false;
  }
  const auto entries = made.children();
  return made.is("dictionary") && &made.source() == &entry.source() &&
         std::all_of(entries.begin(), entries.end(), [&](const Node& each) {
           return each.is("pair") && is_stateless_class(each.field("value"), imports, index);
         });
}

/// Whether a function of the source makes what a call gives, the same each time.
bool is_made_without_state(const Node& call, SourceIndex& index) {
  const auto& functions = index.functions_named(std::string(called_name(call)));
  return call.field("function").is("identifier") && !functions.empty() &&
         std::all_of(functions.begin(), functions.end(), [&](const Node& each) {
           const auto returns = each.field("body").all("return_statement");
           return !returns.empty() && !changes_anything(each) &&
                  std::all_of(returns.begin(), returns.end(), [&](const Node& given) {
                    const auto parts = given.children();
                    return !parts.empty() && parts.front().is("call") &&
                           !(called_name(parts.front()) == called_name(call)) &&
                           makes_no_state(parts.front(), index.imports_of(each), index);
                  });
         });
}

bool is_stateless_class(const Node& callee, const Imports& imports, SourceIndex& index) {
  if (callee.is("subscript")) return is_entry_without_state(callee, imports, index);
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
         callee.around("function_definition").field("parameters").all("identifier"))
      if (parameter.text() == callee.text()) return false;
  }
  const auto types = index.classes_named(std::string(callee.text()));
  return !types.empty() && std::all_of(types.begin(), types.end(),
                                       [&](const Node& each) { return is_stateless(each, index); });
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
  return value.is("call") && (is_stateless_class(value.field("function"), imports, index) ||
                              is_made_without_state(value, index));
}

} // namespace model_validator::fixes
