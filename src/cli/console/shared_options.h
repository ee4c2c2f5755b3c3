#pragma once

#include "cli/console/terminal.h"
#include "requests/request_options.h"

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace model_validator::cli {

/// Options that several commands have. Each returns what was added, so that a group can be named.
CLI::Option* add_op_library(CLI::App& app, std::vector<std::filesystem::path>& libraries);
CLI::Option* add_output_file(CLI::App& app, std::filesystem::path& file);
CLI::Option* add_color(CLI::App& app, ColorChoice& color);

void add_limits(CLI::App& app, ReadingLimits& limits);
void add_inputs(CLI::App& app, InputChoice& choice);
void add_trace(CLI::App& app, TraceChoice& choice);

} // namespace model_validator::cli
