#include "lint/settings.h"

#include "files/real_path.h"
#include "lint/selection.h"
#include "lint/tool_rules.h"
#include "rules/presets.h"
#include "text/nearest.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator {
namespace {

int line_of(const Config& layer, const std::string& key) {
  const auto line = layer.lines.find(key);
  return line == layer.lines.end() ? 0 : line->second;
}

/// The selectors that a layer names anywhere, each once, and the line that does.
std::map<std::string, int> selectors_of(const Config& layer) {
  std::map<std::string, int> all;
  const auto add = [&](const std::string& key, const std::vector<std::string>& more) {
    for (const std::string& selector : more) all.emplace(selector, line_of(layer, key));
  };
  add("select", layer.selection.select.value_or(std::vector<std::string>{}));
  add("extend-select", layer.selection.extend_select);
  add("ignore", layer.selection.ignore);
  for (const auto& [selector, severity] : layer.severity) add("severity." + selector, {selector});
  for (const auto& entry : layer.suppressions) all.emplace(entry->rule, entry->where.line);
  return all;
}

/// What a value of the option must be; empty where it is that.
std::string_view wrong_type(const RuleOption& option, const AttributeValue& value) {
  switch (option.type) {
  case RuleOption::Type::flag: return std::holds_alternative<bool>(value) ? "" : "true or false";
  case RuleOption::Type::whole_number:
    return std::holds_alternative<std::int64_t>(value) ? "" : "a whole number";
  case RuleOption::Type::texts:
    return std::holds_alternative<std::vector<std::string>>(value) ? "" : "a list of strings";
  }
  return "";
}

void require_known_option(const Validator& check, const std::string& name,
                          const AttributeValue& value) {
  const RuleInfo& rule = check.info();
  std::vector<std::string> names;
  for (const RuleOption& each : rule.options) names.emplace_back(each.name);
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw Error(ErrorKind::bad_config, "",
                "the rule `" + std::string(rule.name) + "` has no option `" + name + "`",
                names.empty() ? "it has none" : rules::suggestion(name, names));
  const auto number = static_cast<std::size_t>(found - names.begin());
  if (const auto wanted = wrong_type(rule.options[number], value); !wanted.empty())
    throw Error(ErrorKind::bad_config, "",
                "the option `" + name + "` of the rule `" + std::string(rule.name) + "` must be " +
                    std::string(wanted));
}

void require_known_option(const Registry& registry, const std::string& rule,
                          const std::string& name, const AttributeValue& value) {
  require_known(rule, registry);
  const Validator* check = registry.find(rule);
  if (check == nullptr)
    throw Error(ErrorKind::bad_config, "",
                "`" + rule + "` does not name a single rule, so it has no options");
  require_known_option(*check, name, value);
}

/// An error in a file names that file, and the line if it is known.
template <class Action>
auto naming_its_origin(const Config& layer, int line, const Action& action) {
  try {
    return action();
  } catch (const Error& error) {
    if (!error.path().empty() || layer.origin == "command line") throw;
    const std::string place = line > 0 ? "line " + std::to_string(line) + ": " : "";
    throw Error(error.kind(), layer.origin, place + error.what(), error.hint());
  }
}

void validate(const Config& layer, const Registry& registry) {
  if (layer.preset)
    naming_its_origin(layer, line_of(layer, "preset"), [&] { require_preset(*layer.preset); });
  for (const auto& [selector, line] : selectors_of(layer))
    naming_its_origin(layer, line, [&] { require_known(selector, registry); });
  for (const auto& [rule, options] : layer.options)
    for (const auto& [name, value] : options)
      naming_its_origin(layer, line_of(layer, "rule." + rule + "." + name),
                        [&] { require_known_option(registry, rule, name, value); });
}

void override_severities(Settings& settings, const Registry& registry, const Config& layer) {
  for (const auto& [selector, severity] : layer.severity)
    for (const RuleInfo& rule : all_rules(registry))
      if (selects(selector, rule)) settings.severity[std::string(rule.name)] = severity;
}

std::shared_ptr<const ModuleTables> extended_tables(const std::vector<Config>& layers) {
  ModuleTables tables = load_module_tables(rules_folder() / "aimet.toml");
  for (const Config& layer : layers) {
    for (const auto& [class_name, type] : layer.op_type_map) tables.op_type_map[class_name] = type;
    tables.functional_ops.insert(layer.functional_ops.begin(), layer.functional_ops.end());
  }
  return std::make_shared<const ModuleTables>(std::move(tables));
}

TargetProfile load_for_opset(const std::string& name, std::optional<int> opset) {
  TargetProfile target = load_target(name);
  const bool open = name.find('@') == std::string::npos && target.opset != 0;
  return open && opset ? load_target(name + "@" + std::to_string(*opset)) : target;
}

/// A configuration may state an opset for whoever asks a target that has one; who asks for one by
/// hand must not be told that all is well for it.
void require_opset_in_any(const std::vector<std::shared_ptr<const TargetProfile>>& targets) {
  const auto has_opset = [](const auto& target) { return target->opset != 0; };
  if (std::ranges::none_of(targets, has_opset))
    throw Error(ErrorKind::bad_opset, "", "an opset was asked for, and no target that has opsets",
                "add `--target onnx`");
}

/// A target has them in each of its tables.
void give_plugins(const std::set<std::string, std::less<>>& plugins, TargetProfile& target) {
  if (plugins.empty()) return;
  target.plugins = plugins;
  for (auto& each : target.counterparts) {
    TargetProfile other = *each;
    other.plugins = plugins;
    each = std::make_shared<const TargetProfile>(std::move(other));
  }
}

std::vector<std::shared_ptr<const TargetProfile>> targets_of(const std::vector<Config>& layers) {
  std::vector<std::shared_ptr<const TargetProfile>> targets;
  std::set<std::string> named; // each counts once, however often a list names it
  std::set<std::filesystem::path> files;
  std::set<std::string, std::less<>> plugins;
  for (const Config& layer : layers) plugins.insert(layer.plugins.begin(), layer.plugins.end());
  const auto add = [&](TargetProfile target) {
    give_plugins(plugins, target);
    targets.push_back(std::make_shared<const TargetProfile>(std::move(target)));
  };
  const Config* opset = last_to_answer(layers, &Config::opset);
  if (const Config* layer = last_to_answer(layers, &Config::targets))
    for (const std::string& name : *layer->targets)
      if (named.insert(name).second)
        add(naming_its_origin(*layer, line_of(*layer, "target"), [&] {
          return load_for_opset(name, opset ? opset->opset : std::nullopt);
        }));
  if (const Config* layer = last_to_answer(layers, &Config::profiles))
    for (const auto& file : *layer->profiles)
      if (files.insert(real_path(file)).second) add(load_target_profile(file));
  if (opset && opset->origin == "command line") require_opset_in_any(targets);
  return targets;
}

void select(Settings& settings, const Registry& registry, const std::vector<Config>& layers) {
  std::vector<Selection> selections;
  for (const Config& layer : layers) selections.push_back(layer.selection);
  const auto runs_if = [&](RuleInfo rule, bool on_by_default) {
    rule.on_by_default = on_by_default;
    return is_selected(rule, selections) &&
           settings.severity_of(rule.name, rule.severity) != Severity::off;
  };
  const auto runs = [&](const RuleInfo& rule) {
    return runs_if(rule, rule.on_by_default && !preset_leaves_out(settings.preset, rule.name));
  };
  const auto is_left_to_preset = [&](const Validator* check) {
    return check != nullptr && runs_if(check->info(), true) && !runs_if(check->info(), false);
  };
  for (const std::string& name : rules_for_quantisers())
    if (is_left_to_preset(registry.find(name))) settings.left_to_preset.insert(name);
  for (const auto& validator : registry.validators())
    if (runs(validator->info()))
      settings.enabled.push_back(validator.get());
    else if (validator->info().decides_verdicts && !settings.targets.empty())
      settings.asked_for_verdicts.push_back(validator.get());
  for (const RuleInfo& rule : tool_rules())
    if (runs(rule)) settings.tool_rules.emplace(rule.name);
}

} // namespace

Context Settings::context() const {
  Context context;
  context.tables = tables.get();
  for (const auto& target : targets) context.targets.push_back(target.get());
  context.options = options;
  return context;
}

std::vector<SourceRoot> Settings::roots() const {
  std::vector<SourceRoot> all;
  for (const auto& [was, is] : source_roots) all.emplace_back(was, is.string());
  return all;
}

Severity Settings::severity_of(std::string_view rule, Severity fallback) const {
  const auto found = severity.find(rule);
  return found == severity.end() ? fallback : found->second;
}

Settings resolve_settings(const Registry& registry, const std::vector<Config>& layers) {
  Settings settings;
  settings.registry = &registry;
  for (const Config& layer : layers) {
    validate(layer, registry);
    override_severities(settings, registry, layer);
    for (const auto& [rule, options] : layer.options)
      for (const auto& [name, value] : options)
        settings.options[std::string(registry.find(rule)->info().name)][name] = value;
    settings.suppressions.insert(settings.suppressions.end(), layer.suppressions.begin(),
                                 layer.suppressions.end());
    for (const auto& [was, is] : layer.source_roots) settings.source_roots[was] = is;
  }
  settings.targets = targets_of(layers);
  const Config* preset = last_to_answer(layers, &Config::preset);
  settings.preset_by_targets = preset == nullptr;
  settings.by_default = preset == nullptr && settings.targets.empty() &&
                        std::ranges::none_of(layers, [](const Config& layer) {
                          return layer.selection.select.has_value();
                        });
  settings.preset = preset ? *preset->preset : std::string(preset_for(settings.targets));
  select(settings, registry, layers);
  const auto answer = [&](auto field, auto& setting) {
    if (const Config* layer = last_to_answer(layers, field)) setting = *(layer->*field);
  };
  answer(&Config::fail_on, settings.fail_on);
  answer(&Config::fail_on_installed, settings.fail_on_installed);
  answer(&Config::sandbox, settings.sandbox);
  answer(&Config::baseline, settings.baseline);
  answer(&Config::fix_modules, settings.fix_modules);
  settings.tables = extended_tables(layers);
  return settings;
}

} // namespace model_validator
