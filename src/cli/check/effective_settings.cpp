#include "cli/check/effective_settings.h"

#include "lint/selection.h"
#include "lint/settings.h"
#include "lint/tool_rules.h"
#include "rules/presets.h"
#include "text/lists.h"

#include <algorithm>

namespace model_validator::cli {
namespace {

constexpr const char* by_default = "default";

std::string names_of(const std::vector<std::string>& words) {
  return words.empty() ? "none" : joined(words, ", ");
}

std::string names_of(const std::vector<std::filesystem::path>& files) {
  return names_of(std::vector<std::string>(files.begin(), files.end()));
}

std::string origin_of(const Config& layer, const std::string& key) {
  const auto line = layer.lines.find(key);
  return line == layer.lines.end() ? layer.origin
                                   : layer.origin + ":" + std::to_string(line->second);
}

/// A setting that is decided by the last layer that has it.
template <class T, class Show>
EffectiveSetting single(const std::vector<Config>& layers, const char* name,
                        std::optional<T> Config::*question, const char* fallback, Show show) {
  const Config* layer = last_to_answer(layers, question);
  if (layer == nullptr) return {name, fallback, by_default};
  return {name, show(*(layer->*question)), origin_of(*layer, name)};
}

/// The key by which a layer changes a rule; empty where it leaves the rule alone.
std::string key_for(const Config& layer, const RuleInfo& rule) {
  const auto names = [&](const std::vector<std::string>& selectors) {
    return std::ranges::any_of(
        selectors, [&](const std::string& selector) { return selects(selector, rule); });
  };
  for (const auto& [selector, severity] : layer.severity)
    if (selects(selector, rule)) return "severity." + selector;
  if (names(layer.selection.ignore)) return "ignore";
  if (names(layer.selection.extend_select)) return "extend-select";
  return layer.selection.select ? "select" : "";
}

EffectiveSetting setting_of(const RuleInfo& rule, const Settings& settings, bool on,
                            const std::vector<Config>& layers) {
  const Severity severity = settings.severity_of(rule.name, rule.severity);
  EffectiveSetting setting{"rule." + std::string(rule.name), on ? to_string(severity) : "off",
                           by_default};
  if (settings.preset_by_targets && preset_leaves_out(settings.preset, rule.name))
    setting.origin = "no target quantises";
  for (const Config& layer : layers)
    if (layer.preset && preset_leaves_out(*layer.preset, rule.name))
      setting.origin = origin_of(layer, "preset");
  for (const Config& layer : layers)
    if (const std::string key = key_for(layer, rule); !key.empty())
      setting.origin = origin_of(layer, key);
  return setting;
}

void add_rules(const Registry& registry, const Settings& settings,
               const std::vector<Config>& layers, std::vector<EffectiveSetting>& all) {
  const auto runs = [&](const Validator* check) {
    return std::ranges::find(settings.enabled, check) != settings.enabled.end();
  };
  for (const auto& check : registry.validators())
    all.push_back(setting_of(check->info(), settings, runs(check.get()), layers));
  for (const RuleInfo& rule : tool_rules())
    all.push_back(setting_of(rule, settings, settings.tool_rules.count(rule.name) > 0, layers));
}

void add_options(const std::vector<Config>& layers, std::vector<EffectiveSetting>& all) {
  std::map<std::string, EffectiveSetting> options;
  for (const Config& layer : layers)
    for (const auto& [rule, values] : layer.options)
      for (const auto& [option, value] : values) {
        const std::string name = "rule." + rule + "." + option;
        options[name] = {name, to_python(value), origin_of(layer, name)};
      }
  for (auto& [name, setting] : options) all.push_back(std::move(setting));
}

void add_lists(const std::vector<Config>& layers, std::vector<EffectiveSetting>& all) {
  for (const Config& layer : layers) {
    if (!layer.plugins.empty())
      all.push_back({"plugins", names_of(layer.plugins), origin_of(layer, "plugins")});
    if (!layer.functional_ops.empty())
      all.push_back(
          {"aimet.functional-ops", names_of(layer.functional_ops), origin_of(layer, "aimet")});
    for (const auto& [class_name, type] : layer.op_type_map)
      all.push_back({"aimet.op-type-map." + class_name, type, origin_of(layer, "aimet")});
    for (const auto& [was, is] : layer.source_roots)
      all.push_back({"fix.source-root." + was, is.string(), origin_of(layer, "fix")});
    for (const auto& entry : layer.suppressions)
      all.push_back({"suppress",
                     entry->rule + (entry->module.empty() ? "" : " in " + entry->module) + ": " +
                         entry->reason,
                     entry->where.file + ":" + std::to_string(entry->where.line)});
  }
}

} // namespace

std::vector<EffectiveSetting> effective_settings(const Registry& registry,
                                                 const std::vector<Config>& layers) {
  const Settings settings = resolve_settings(registry, layers);
  const auto words = [](const auto& list) { return names_of(list); };
  std::vector<EffectiveSetting> all{
      single(layers, "preset", &Config::preset, settings.preset.c_str(),
             [](const auto& name) { return name; }),
      single(layers, "target", &Config::targets, "none", words),
      single(layers, "profile", &Config::profiles, "none", words),
      single(layers, "opset", &Config::opset, "each target's own",
             [](int opset) { return std::to_string(opset); }),
      single(layers, "fail-on", &Config::fail_on, "warning",
             [](Severity severity) {
               return std::string(severity == Severity::off ? "never" : to_string(severity));
             }),
      single(layers, "fail-on-installed", &Config::fail_on_installed, "false",
             [](bool counted) { return std::string(counted ? "true" : "false"); }),
      single(layers, "exclude", &Config::exclude, "none", words),
      single(layers, "baseline", &Config::baseline, "none",
             [](const std::filesystem::path& file) { return file.string(); }),
      single(layers, "fix.modules", &Config::fix_modules, "our own",
             [](const auto& name) { return name; }),
      single(layers, "sandbox", &Config::sandbox, "auto",
             [](process::SandboxMode mode) { return std::string(process::to_string(mode)); })};
  add_rules(registry, settings, layers, all);
  add_options(layers, all);
  add_lists(layers, all);
  return all;
}

} // namespace model_validator::cli
