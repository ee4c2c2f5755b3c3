#include "cli/check/check_options.h"
#include "cli/check/effective_settings.h"
#include "cli/commands.h"
#include "cli/console/exit_status.h"
#include "cli/console/option_adder.h"
#include "cli/console/output.h"
#include "files/json_text.h"
#include "lint/settings_source.h"
#include "text/escape.h"

#include <CLI/CLI.hpp>

#include <iomanip>
#include <memory>

namespace model_validator::cli {
namespace {

constexpr const char* config_schema = "model_validator-config/1";

struct ConfigOptions {
  CheckOptions check;
  std::string model = "-";
  std::string format = "text";
};

void write_text(std::ostream& out, const std::vector<EffectiveSetting>& settings) {
  std::size_t name = 0;
  std::size_t value = 0;
  for (const EffectiveSetting& setting : settings) {
    name = std::max(name, setting.name.size());
    value = std::max(value, std::min<std::size_t>(40, setting.value.size()));
  }
  for (const EffectiveSetting& setting : settings)
    out << std::left << std::setw(static_cast<int>(name)) << escape(setting.name) << " = "
        << std::setw(static_cast<int>(value)) << escape(setting.value) << "  # "
        << escape(setting.origin) << '\n';
}

void write_json(std::ostream& out, const std::vector<EffectiveSetting>& settings) {
  Json list = Json::array();
  for (const EffectiveSetting& setting : settings)
    list.push_back(
        Json{{"name", setting.name}, {"value", setting.value}, {"origin", setting.origin}});
  out << json_text(Json{{"schema", config_schema}, {"settings", std::move(list)}}, 2) << '\n';
}

int run_config(const ConfigOptions& options) {
  const Registry registry = Registry::builtin();
  SettingsSource source(registry, options.check.config(), options.check.config_file,
                        options.check.isolated);
  const auto settings = effective_settings(registry, source.layers_for(options.model));
  Output output;
  if (options.format == "json")
    write_json(output.stream(), settings);
  else
    write_text(output.stream(), settings);
  output.finish();
  return clean;
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
