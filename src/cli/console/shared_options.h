#pragma once

#include "cli/console/terminal.h"
#include "requests/request_options.h"

#include <model_validator/graph_reader.h>

#include <filesystem>
#include <optional>
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
/// What traces the model; nothing where no inputs are given.
/// @throws Error (`usage`) for values to be run without inputs; (`bad-input-spec`, `no-libtorch`)
std::optional<TraceOptions> trace_of(const TraceChoice& choice);

/// How a command that judges no targets reads a model: only targets need the operators of the file.
ReadOptions graph_read_options();

} // namespace model_validator::cli
