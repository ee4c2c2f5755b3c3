#include "cli/check/check_options.h"

#include "cli/console/option_adder.h"
#include "cli/console/shared_options.h"
#include "report/report_writer.h"
#include "rules/config_options.h"

#include <model_validator/error.h>

#include <CLI/CLI.hpp>

namespace model_validator::cli {
namespace {

Error usage(const std::string& cause, const std::string& hint) {
  return Error(ErrorKind::usage, "", cause, hint);
}

/// `/build/src=src`
std::pair<std::string, std::filesystem::path> source_root(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    throw usage("`--source-root " + text + "` does not say what has moved where",
                "write `--source-root OLD=NEW`");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

constexpr const char* what_is_checked = "What is checked";

void add_plugins(CLI::App& app, CheckOptions& options) {
  OptionAdder(app, what_is_checked)
      .option({"plugin", "MODULE,...",
               "Python modules with your own checks: they are imported, so they must be trusted"},
              options.plugins);
  constexpr const char* hidden = "";
  app.add_option("--graphs-to", options.graphs)->group(hidden);
  app.add_option("--findings-of", options.findings)->group(hidden);
}

void add_output(CLI::App& app, CheckOptions& options) {
  constexpr const char* group = "Output";
  OptionAdder adder(app, group);
  adder.option({"output-format", "FORMAT", "the report's format", output_formats()},
               options.format);
  add_output_file(app, options.output_file)->group(group);
  add_color(app, options.color)->group(group);
  adder.option({"statistics", "", "count the findings of each rule"}, options.statistics);
  auto* quiet = app.add_flag("-q,--quiet", options.quiet, "findings only: no summary, no log");
  auto* verbose =
      app.add_flag("-v,--verbose", options.verbose, "lists in full, and the log of the checks");
  quiet->group(group)->excludes(verbose);
  verbose->group(group);
  adder.option({"log-level",
                "LEVEL",
                "the log on standard error: debug, info, warning, error or off",
                {"debug", "info", "warning", "error", "off"}},
               options.log_level);
}

void add_suppression(CLI::App& app, CheckOptions& options) {
  constexpr const char* group = "What does not count";
  OptionAdder adder(app, group);
  describe_baseline(adder, options.settings);
  app.add_flag("--write-baseline", options.write_baseline,
               "write the current findings to the baseline")
      ->group(group);
  adder.option({"show-suppressed", "", "show suppressed findings too"}, options.show_suppressed);
}

void add_configuration(CLI::App& app, CheckOptions& options) {
  constexpr const char* group = "Configuration";
  auto* file = app.add_option("--config", options.config_file,
                              "this configuration file instead of the one nearest each model");
  file->type_name("FILE")->group(group);
  app.add_option("--source-root", options.source_roots,
                 "OLD=NEW: source that a model records under OLD is now under NEW")
      ->allow_extra_args(false)
      ->type_name("OLD=NEW")
      ->group(group);
  app.add_flag("--isolated", options.isolated, "no configuration file at all")
      ->excludes(file)
      ->group(group);
}

void add_running(CLI::App& app, CheckOptions& options) {
  constexpr const char* group = "Running";
  add_op_library(app, options.operator_libraries)->group(group);
  app.add_option("-j,--jobs", options.jobs, "files at a time (default: one per core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->group(group);
  add_limits(app, options.reading);
}

void add_asking(CLI::App& app, AskingChoice& asking) {
  OptionAdder adder(app, what_is_checked);
  adder.option({"probe", "",
                "ask the runtimes of the targets that are here, too, for each ONNX file and, where "
                "it fails, its nodes; see `probe`"},
               asking.wanted);
  adder.option({"answers", "FOLDER", "where their answers are kept (default: a cache of your own)"},
               asking.answers);
}

} // namespace

Config CheckOptions::config() const {
  Config config = settings;
  config.origin = "command line";
  for (const std::string& root : source_roots) config.source_roots.insert(source_root(root));
  config.sandbox = reading.sandbox;
  return config;
}

LogLevel CheckOptions::least_log_level() const {
  if (!log_level.empty()) return log_level_from(log_level).value_or(LogLevel::info);
  if (verbose) return LogLevel::debug;
  return quiet ? LogLevel::off : LogLevel::info;
}

ReadOptions CheckOptions::read_options() const {
  ReadOptions read;
  read.operator_libraries = operator_libraries;
  return read;
}

void add_check_options(CLI::App& app, CheckOptions& options) {
  app.add_option("MODEL", options.models, "files, folders, patterns; `-` reads standard input")
      ->required()
      ->type_name("");
  add_setting_options(app, options);
  add_asking(app, options.asking);
  add_plugins(app, options);
  add_trace(app, options.trace);
  add_suppression(app, options);
  add_output(app, options);
  add_running(app, options);
}

void add_setting_options(CLI::App& app, CheckOptions& options) {
  OptionAdder adder(app, what_is_checked);
  describe_selection(adder, options.settings);
  describe_files(adder, options.settings);
  adder.option({"as-found", "",
                "for hooks, which name whatever a commit holds: leave out what `exclude` says, and "
                "pass over "
                "what is no model, such as a checkpoint, as in folders"},
               options.as_found);
  add_configuration(app, options);
}

} // namespace model_validator::cli
