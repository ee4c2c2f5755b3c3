#pragma once

#include <model_validator/trace.h>

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace model_validator::cli {

/// The options that describe a model's inputs.
struct InputChoice {
  verify::InputOptions inputs;
  std::string range; ///< `LOW..HIGH`

  /// With the range read. @throws Error (`bad-input-spec`, `no-libtorch`)
  verify::InputOptions complete() const;
};

void add_input_options(CLI::App& app, InputChoice& choice);

/// The same for commands that trace a model if inputs are given, and otherwise do not run it.
struct TraceChoice {
  InputChoice inputs;
  bool values = false;
  std::size_t max_steps = TraceOptions().max_steps;

  /// Nothing where no inputs are given. @throws Error (`bad-input-spec`, `no-libtorch`, `usage`)
  std::optional<TraceOptions> options() const;
};

void add_trace_options(CLI::App& app, TraceChoice& choice);

} // namespace model_validator::cli
