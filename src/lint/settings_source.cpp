#include "lint/settings_source.h"

namespace model_validator {
namespace {

namespace fs = std::filesystem;

/// Models with the same layers have the same settings.
std::string key_of(const std::vector<Config>& layers) {
  std::string key;
  for (const Config& layer : layers) {
    const auto line = layer.lines.find("files");
    key += layer.origin + ':' + std::to_string(line == layer.lines.end() ? 0 : line->second) + '\n';
  }
  return key;
}

} // namespace

SettingsSource::SettingsSource(const Registry& registry, Config command_line, const fs::path& file,
                               bool isolated)
    : registry_(registry),
      command_line_(std::move(command_line)), fixed_{isolated ? fs::path() : file, {}},
      isolated_(isolated) {}

std::shared_ptr<const Settings> SettingsSource::settings_for(const fs::path& model) {
  const auto layers = layers_for(model);
  const NearestConfig& place = place_for(model);
  auto& settings = resolved_[place.file.string() + '\n' + key_of(layers)];
  if (settings) return settings;
  Settings resolved = resolve_settings(registry_, layers);
  resolved.config_file = place.file;
  resolved.passed_over = place.passed_over;
  resolved.patterns = patterns_of(command_line_);
  if (!place.file.empty())
    for (FilePattern& each : patterns_of(load(place.file), origin_of(place.file)))
      resolved.patterns.push_back(std::move(each));
  settings = std::make_shared<const Settings>(std::move(resolved));
  return settings;
}

std::vector<Config> SettingsSource::layers_for(const fs::path& model) {
  std::vector<Config> layers;
  if (const fs::path& file = place_for(model).file; !file.empty())
    layers = model_validator::layers_for(load(file), model);
  layers.push_back(command_line_);
  return layers;
}

const NearestConfig& SettingsSource::place_for(const fs::path& model) {
  if (isolated_ || !fixed_.file.empty()) return fixed_;
  const fs::path folder = model == "-" || !model.has_parent_path() ? "." : model.parent_path();
  const auto [place, added] = nearest_.try_emplace(folder);
  if (added) place->second = find_config_file(folder);
  return place->second;
}

ConfigOrigin SettingsSource::origin_of(const fs::path& file) const {
  return file == fixed_.file ? ConfigOrigin::named : ConfigOrigin::found;
}

const ConfigFile& SettingsSource::load(const fs::path& file) {
  const auto found = files_.find(file);
  if (found != files_.end()) return found->second;
  const ConfigFile& loaded =
      files_.emplace(file, load_config_file(file, origin_of(file))).first->second;
  for (const PerFileConfig& part : loaded.per_file) // also those that no model of this run needs
    resolve_settings(registry_, {part.config});
  return loaded;
}

} // namespace model_validator
