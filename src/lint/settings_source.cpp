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
    : registry_(registry), command_line_(std::move(command_line)), fixed_(file),
      isolated_(isolated) {}

std::shared_ptr<const Settings> SettingsSource::settings_for(const fs::path& model) {
  const auto layers = layers_for(model);
  auto& settings = resolved_[key_of(layers)];
  if (!settings) settings = std::make_shared<const Settings>(resolve_settings(registry_, layers));
  return settings;
}

std::vector<Config> SettingsSource::layers_for(const fs::path& model) {
  std::vector<Config> layers;
  if (const ConfigFile* file = file_for(model)) layers = model_validator::layers_for(*file, model);
  layers.push_back(command_line_);
  return layers;
}

const ConfigFile* SettingsSource::file_for(const fs::path& model) {
  if (isolated_) return nullptr;
  if (!fixed_.empty()) return &load(fixed_);
  const fs::path folder = model == "-" || !model.has_parent_path() ? "." : model.parent_path();
  const auto [place, added] = nearest_.try_emplace(folder);
  if (added) place->second = find_config_file(folder);
  return place->second.empty() ? nullptr : &load(place->second);
}

const ConfigFile& SettingsSource::load(const fs::path& file) {
  auto found = files_.find(file);
  if (found == files_.end()) found = files_.emplace(file, load_config_file(file)).first;
  return found->second;
}

} // namespace model_validator
