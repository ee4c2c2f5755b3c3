#include "cli/console/shared_options.h"

#include "cli/console/option_adder.h"

#include <CLI/CLI.hpp>

#include <map>

namespace model_validator::cli {

CLI::Option* add_op_library(CLI::App& app, std::vector<std::filesystem::path>& libraries) {
  return app
      .add_option("--op-library", libraries,
                  "a shared library that registers custom operators; it is loaded, so it must be "
                  "trusted. The path has a slash: ./lib.so")
      ->check(CLI::Validator(
          [](const std::string& path) {
            return path.find('/') != std::string::npos
                       ? std::string()
                       : "`" + path + "` has no slash: write `./" + path + "`";
          },
          ""))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE");
}

CLI::Option* add_output_file(CLI::App& app, std::filesystem::path& file) {
  return app.add_option("-o,--output-file", file, "write the result there, complete or not at all")
      ->type_name("FILE");
}

CLI::Option* add_color(CLI::App& app, ColorChoice& color) {
  static const std::map<std::string, ColorChoice> colors{{"auto", ColorChoice::automatic},
                                                         {"always", ColorChoice::always},
                                                         {"never", ColorChoice::never}};
  return app
      .add_option_function<std::string>(
          "--color", [&color](const std::string& word) { color = colors.at(word); },
          "auto, always or never; auto honours NO_COLOR")
      ->type_name("WHEN")
      ->check(CLI::IsMember(colors).description("{auto,always,never}"));
}

void add_limits(CLI::App& app, ReadingLimits& limits) {
  OptionAdder adder(app, "Running");
  describe_limits(adder, limits);
}

void add_inputs(CLI::App& app, InputChoice& choice) {
  OptionAdder adder(app, "Inputs");
  describe_inputs(adder, choice);
}

void add_trace(CLI::App& app, TraceChoice& choice) {
  OptionAdder adder(app, "Inputs");
  describe_trace(adder, choice);
}

} // namespace model_validator::cli
