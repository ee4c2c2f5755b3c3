#include "lint/selection.h"

#include "lint/tool_rules.h"
#include "text/nearest.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator {
namespace {

bool chosen(const std::vector<std::string>& selectors, const RuleInfo& rule) {
  return std::ranges::any_of(selectors,
                             [&](const std::string& selector) { return selects(selector, rule); });
}

/// `GRA` and `GRA00`, but not the `G` of a mistyped name.
bool starts_code(std::string_view selector, std::string_view code) {
  return selector.size() >= 3 && code.substr(0, selector.size()) == selector;
}

std::vector<std::string> known_names(const Registry& registry) {
  std::vector<std::string> names;
  for (const auto& validator : registry.validators()) {
    names.emplace_back(validator->info().name);
    names.emplace_back(validator->info().code);
  }
  return names;
}

} // namespace

bool selects(std::string_view selector, const RuleInfo& rule) {
  return selector == "all" || selector == "ALL" || selector == rule.name ||
         starts_code(selector, rule.code);
}

bool is_known(std::string_view selector, const Registry& registry) {
  const auto matches = [&](const RuleInfo& rule) { return selects(selector, rule); };
  return std::ranges::any_of(registry.validators(),
                             [&](const auto& v) { return matches(v->info()); }) ||
         std::ranges::any_of(tool_rules(), matches);
}

std::string nearest_rule(std::string_view selector, const Registry& registry) {
  return rules::nearest(selector, known_names(registry));
}

void require_known(std::string_view selector, const Registry& registry) {
  if (is_known(selector, registry)) return;
  throw Error(ErrorKind::unknown_rule, "", "there is no rule `" + std::string(selector) + "`",
              rules::suggestion(selector, known_names(registry)));
}

bool is_selected(const RuleInfo& rule, const std::vector<Selection>& layers) {
  bool on = rule.on_by_default;
  for (const Selection& layer : layers) {
    if (layer.select) on = chosen(*layer.select, rule);
    if (chosen(layer.extend_select, rule)) on = true;
    if (chosen(layer.ignore, rule)) on = false;
  }
  return on;
}

} // namespace model_validator
