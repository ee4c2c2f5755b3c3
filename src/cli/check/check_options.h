#pragma once

#include "cli/check/asked_runtimes.h"
#include "cli/console/terminal.h"
#include "logging/log.h"
#include "requests/request_options.h"
#include "rules/config.h"

#include <model_validator/graph_reader.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace model_validator::cli {

/// The options of `check` as given.
struct CheckOptions {
  std::vector<std::string> models;
  bool as_found = false; ///< what is named counts as found in a folder
  // what is checked
  Config settings; ///< without those that other options imply: see `config`
  std::vector<std::string> plugins;
  AskingChoice asking;
  std::filesystem::path graphs;   ///< a folder that only graphs are written to
  std::filesystem::path findings; ///< of checks that another program ran
  // how it is shown
  std::string format = "full";
  std::filesystem::path output_file;
  ColorChoice color = ColorChoice::automatic;
  bool statistics = false;
  bool show_suppressed = false;
  bool quiet = false;
  bool verbose = false;
  std::string log_level;
  // what does not count
  bool write_baseline = false;
  // how it is run
  std::filesystem::path config_file;
  bool isolated = false;
  std::vector<std::string> source_roots; ///< `OLD=NEW`
  std::vector<std::filesystem::path> operator_libraries;
  unsigned jobs = 0;
  ReadingLimits reading;
  TraceChoice trace;

  /// The command line as a layer of settings. @throws Error (`usage`)
  Config config() const;
  LogLevel least_log_level() const;
  /// Whether the log follows each check. The report says as much, so only who asks for a log has
  /// it.
  bool logs_checks() const { return verbose || !log_level.empty(); }
  ReadOptions read_options() const;
};

void add_check_options(CLI::App& app, CheckOptions& options);
/// Adds those of them that are settings.
void add_setting_options(CLI::App& app, CheckOptions& options);

} // namespace model_validator::cli
