#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace model_validator::cli {

/// What a subcommand does once its options are parsed; returns the exit status.
using Run = std::function<int()>;

/// What somebody may write, and what it does.
struct Example {
  const char* line; ///< behind `model_validator`
  const char* meaning;
};

/// A subcommand: `add` puts its options on `app` and returns what to run.
struct Command {
  const char* name;
  const char* summary;
  Run (*add)(CLI::App& app);
  std::vector<Example> examples;
};

/// All subcommands, in the order of the help.
const std::vector<Command>& commands();

Run add_check(CLI::App& app);
Run add_diff(CLI::App& app);
Run add_fix(CLI::App& app);
Run add_graph(CLI::App& app);
Run add_inspect(CLI::App& app);
Run add_partition(CLI::App& app);
Run add_quantise_plan(CLI::App& app);
Run add_rule(CLI::App& app);
Run add_targets(CLI::App& app);
Run add_config(CLI::App& app);
Run add_completion(CLI::App& app);
Run add_man(CLI::App& app);
Run add_verify(CLI::App& app);

} // namespace model_validator::cli
