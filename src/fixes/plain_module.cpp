#include "fixes/plain_module.h"

#include "fixes/python/scope.h"
#include "validators/suggestions/torch_classes.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace model_validator::fixes {
namespace {

/// `nn.Linear(2, 2)`, `Block()`
bool makes_object(const Node& call, const Imports& imports) {
  const std::string_view name = called_name(call);
  return imports.resolve(call.field("function").text()).starts_with("torch.nn.") ||
         (!name.empty() && std::isupper(static_cast<unsigned char>(name.front())) != 0);
}

/// Whether a method calls what its instance holds, other than a method of the class.
bool calls_what_it_holds(const Node& call, const Node& type) {
  const Node callee = call.field("function");
  return callee.is("attribute") && owner_of(callee.field("object")) &&
         !find_method(type, callee.field("attribute").text());
}

/// Whether a class of the user's has no weights and no modules, by its text: it makes none, and
/// calls nothing that it was given.
bool is_plain_class(const Node& type, const Imports& imports) {
  constexpr std::array weights = {"Parameter", "register_parameter", "register_buffer",
                                  "add_module", "register_module"};
  const auto bases = type.field("superclasses").children();
  if (bases.size() != 1 || imports.resolve(bases.front().text()) != "torch.nn.Module") return false;
  for (const char* word : weights)
    if (!type.identifiers(word).empty()) return false;
  const Node init = find_method(type, "__init__");
  return std::ranges::none_of(type.all("call"), [&](const Node& call) {
    return calls_what_it_holds(call, type) ||
           (init && init.contains(call) && makes_object(call, imports));
  });
}

} // namespace

bool makes_plain_torch_module(const Node& value, const Imports& imports) {
  const std::string full = imports.resolve(value.field("function").text());
  const std::string name = full.substr(full.rfind('.') + 1);
  return value.is("call") && full.starts_with("torch.nn.") && find_torch_class(name) &&
         !has_state(name);
}

bool makes_plain_module(const Node& value, const Imports& imports, SourceIndex& index) {
  if (value.is("none") || makes_plain_torch_module(value, imports)) return true;
  if (value.is("conditional_expression"))
    return makes_plain_module(value.children().front(), imports, index) &&
           makes_plain_module(value.children().back(), imports, index);
  if (!value.is("call")) return false;
  const auto& types = index.classes_named(class_behind(value.field("function"), imports));
  return types.size() == 1 && is_plain_class(types.front(), index.imports_of(types.front()));
}

} // namespace model_validator::fixes
