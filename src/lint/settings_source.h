#pragma once

#include "lint/settings.h"
#include "rules/config_file.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace model_validator {

/// Finds the settings that hold for each model: the nearest configuration file's, then the command
/// line's.
class SettingsSource {
public:
  /// @param file      the configuration of every model; empty: the nearest of each
  /// @param isolated  no configuration file is looked for
  SettingsSource(const Registry& registry, Config command_line, const std::filesystem::path& file,
                 bool isolated);

  /// @param model  `-` stands for standard input, in the current folder
  /// @throws Error for a configuration that is not sound
  std::shared_ptr<const Settings> settings_for(const std::filesystem::path& model);
  /// The layers behind them; later ones win.
  std::vector<Config> layers_for(const std::filesystem::path& model);

private:
  /// The named file, or the nearest one.
  const NearestConfig& place_for(const std::filesystem::path& model);
  ConfigOrigin origin_of(const std::filesystem::path& file) const;
  const ConfigFile& load(const std::filesystem::path& file);

  const Registry& registry_;
  Config command_line_;
  NearestConfig fixed_;
  bool isolated_;
  std::map<std::filesystem::path, NearestConfig> nearest_; ///< by folder
  std::map<std::filesystem::path, ConfigFile> files_;
  std::map<std::string, std::shared_ptr<const Settings>> resolved_; ///< by the layers' names
};

} // namespace model_validator
