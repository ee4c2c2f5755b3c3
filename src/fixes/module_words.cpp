#include "fixes/module_words.h"

#include "fixes/python/scope.h"
#include "validators/suggestions/torch_classes.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <string>

namespace model_validator::fixes {

bool holds_settings(const Node& object) {
  constexpr std::array known = {"config",  "cfg",     "conf",   "args",    "opt",     "opts",
                                "options", "hparams", "params", "setting", "settings"};
  const std::string_view name = last_name_of(object);
  return contains(known, name) || name.ends_with("_config") || name.ends_with("_args") ||
         name.ends_with("context") || name == "ctx";
}

bool may_have_weights(const Node& made, const Imports& imports) {
  if (made.is("conditional_expression"))
    return may_have_weights(made.children().front(), imports) ||
           may_have_weights(made.children().back(), imports);
  const std::string full = imports.resolve(made.field("function").text());
  const std::string name = last_part(full);
  if (full.starts_with("torch.nn.") && find_torch_class(name)) return has_state(name);
  const Node function = made.around("function_definition");
  return std::ranges::any_of(made.all("identifier"), [&](const Node& each) {
    return each.text() != "self" && !is_named_field(each) && parameter_of(function, each.text());
  });
}

Node function_of_file(const Node& callee) {
  const bool own = callee.is("attribute") && (callee.field("object").text() == "self" ||
                                              callee.field("object").text() == "cls");
  if (!own && !callee.is("identifier")) return {};
  Node found;
  for (const Node& function : callee.tree().root().all("function_definition")) {
    if (name_of(function) != last_name_of(callee)) continue;
    if (found) return {};
    found = function;
  }
  return found && own == static_cast<bool>(found.around("class_definition")) ? found : Node();
}

} // namespace model_validator::fixes
