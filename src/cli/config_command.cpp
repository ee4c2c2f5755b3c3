#include "cli/check/check_options.h"
#include "cli/check/effective_settings.h"
#include "cli/commands.h"
#include "cli/console/option_adder.h"
#include "cli/listing.h"
#include "lint/settings_source.h"
#include "text/escape.h"

#include <CLI/CLI.hpp>

#include <iomanip>
#include <memory>

namespace model_validator::cli {
namespace {

struct ConfigOptions {
  CheckOptions check;
  std::string model = "-";
  std::string format = "text";
};

void write_text(std::ostream& out, const std::vector<EffectiveSetting>& settings) {
  const int name = longest_name(settings);
  std::size_t value = 0;
  for (const EffectiveSetting& setting : settings)
    value = std::max(value, std::min<std::size_t>(40, setting.value.size()));
  for (const EffectiveSetting& setting : settings)
    out << std::left << std::setw(name) << escape(setting.name) << " = "
        << std::setw(static_cast<int>(value)) << escape(setting.value) << "  # "
        << escape(setting.origin) << '\n';
}

Json to_json(const EffectiveSetting& setting) {
  return {{"name", setting.name}, {"value", setting.value}, {"origin", setting.origin}};
}

int run_config(const ConfigOptions& options) {
  const Registry registry = Registry::builtin();
  SettingsSource source(registry, options.check.config(), options.check.config_file,
                        options.check.isolated);
  const auto settings = effective_settings(registry, source.layers_for(options.model));
  return print_listing(
      options.format == "json", "config", "settings", settings,
      [](const EffectiveSetting& setting) { return to_json(setting); }, write_text);
}

} // namespace

Run add_config(CLI::App& app) {
  auto options = std::make_shared<ConfigOptions>();
  app.add_option("MODEL", options->model,
                 "the model they apply to (default: any in the current folder)")
      ->type_name("");
  OptionAdder(app, default_group)
      .option({"format", "FORMAT", "text or json", {"text", "json"}}, options->format);
  add_setting_options(app, options->check);
  return [options] { return run_config(*options); };
}

} // namespace model_validator::cli
