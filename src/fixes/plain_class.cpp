#include "fixes/plain_class.h"

#include "fixes/constructor_site.h"
#include "fixes/python/scope.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

constexpr int max_bases = 4;

/// `super().__init__()`, `nn.Module.__init__(self)`
bool runs_base_init(const Node& statement) {
  if (!statement.is("expression_statement") || statement.children().size() != 1) return false;
  const Node call = statement.children().front();
  return call.is("call") && call.field("function").text().ends_with(".__init__");
}

std::string special_constructor(const Node& type) {
  const Node init = find_method(type, "__init__");
  if (!init) return "has no `__init__` of its own";
  if (init.parent().is("decorated_definition")) return "has a decorated `__init__`";
  if (std::ranges::none_of(init.field("body").children(), runs_base_init))
    return "does not run the `__init__` of its base class in a plain statement";
  return is_left_early(type) ? "may leave its `__init__` early, or runs itself there" : "";
}

std::string special(const Node& type, const Imports& imports, int depth) {
  if (!type.parent().is("module")) return "is decorated, or made in other code";
  const auto bases = type.field("superclasses").children();
  if (bases.size() != 1 || bases.front().is("keyword_argument"))
    return "has several base classes, or a metaclass";
  if (std::string why = special_constructor(type); !why.empty()) return why;
  if (imports.resolve(bases.front().text()) == "torch.nn.Module" ||
      imports.resolve(bases.front().text()) == "torch.nn.modules.module.Module")
    return {};
  const auto& classes = type.tree().classes();
  const auto base = classes.find(bases.front().text());
  if (base == classes.end() || base->second == type || depth == 0)
    return "derives from a class of another file";
  if (const std::string why = special(base->second, imports, depth - 1); !why.empty())
    return "derives from `" + name_of(base->second) + "`, which " + why;
  return {};
}

} // namespace

std::string what_is_special_about(const Node& type, const Imports& imports) {
  return special(type, imports, max_bases);
}

} // namespace model_validator::fixes
