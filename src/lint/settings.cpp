#include "lint/settings.h"

#include "lint/selection.h"
#include "lint/tool_rules.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator {
namespace {

std::vector<RuleInfo> all_rules(const Registry& registry) {
  std::vector<RuleInfo> rules = tool_rules();
  for (const auto& validator : registry.validators()) rules.push_back(validator->info());
  return rules;
}

void override_severities(Settings& settings, const Registry& registry, const Config& layer) {
  for (const auto& [selector, severity] : layer.severity) {
    require_known(selector, registry);
    for (const RuleInfo& rule : all_rules(registry))
      if (selects(selector, rule)) settings.severity[std::string(rule.name)] = severity;
  }
}

bool is_off(const Settings& settings, const Validator* check) {
  const auto found = settings.severity.find(check->info().name);
  return found != settings.severity.end() && found->second == Severity::off;
}

std::shared_ptr<const ModuleTables> extended_tables(const std::vector<Config>& layers) {
  ModuleTables tables = load_module_tables(rules_folder() / "aimet.toml");
  for (const Config& layer : layers) {
    for (const auto& [class_name, type] : layer.op_type_map) tables.op_type_map[class_name] = type;
    tables.functional_ops.insert(layer.functional_ops.begin(), layer.functional_ops.end());
  }
  return std::make_shared<const ModuleTables>(std::move(tables));
}

/// The last layer's answer to a question that a layer may leave open.
template <class T>
std::optional<T> last(const std::vector<Config>& layers, std::optional<T> Config::*question) {
  std::optional<T> answer;
  for (const Config& layer : layers)
    if (layer.*question) answer = layer.*question;
  return answer;
}

std::vector<std::shared_ptr<const TargetProfile>> targets_of(const std::vector<Config>& layers) {
  std::vector<std::shared_ptr<const TargetProfile>> targets;
  const auto opset = last(layers, &Config::opset);
  for (const std::string& name :
       last(layers, &Config::targets).value_or(std::vector<std::string>{})) {
    const bool plain = name.find('@') == std::string::npos;
    TargetProfile target = load_target(name);
    if (opset && plain && target.opset != 0)
      target = load_target(name + "@" + std::to_string(*opset));
    targets.push_back(std::make_shared<const TargetProfile>(std::move(target)));
  }
  for (const auto& file :
       last(layers, &Config::profiles).value_or(std::vector<std::filesystem::path>{}))
    targets.push_back(std::make_shared<const TargetProfile>(load_target_profile(file)));
  return targets;
}

} // namespace

Context Settings::context() const {
  Context context;
  context.tables = tables.get();
  for (const auto& target : targets) context.targets.push_back(target.get());
  context.options = options;
  return context;
}

Settings settle_settings(const Registry& registry, const std::vector<Config>& layers) {
  Settings settings;
  std::vector<Selection> selections;
  for (const Config& layer : layers) {
    selections.push_back(layer.selection);
    override_severities(settings, registry, layer);
    for (const auto& [rule, options] : layer.options)
      for (const auto& [name, value] : options) settings.options[rule][name] = value;
  }
  settings.enabled = select_checks(registry, selections);
  std::erase_if(settings.enabled, [&](const Validator* check) { return is_off(settings, check); });
  settings.fail_on = last(layers, &Config::fail_on).value_or(Severity::warning);
  settings.targets = targets_of(layers);
  settings.tables = extended_tables(layers);
  return settings;
}

} // namespace model_validator
