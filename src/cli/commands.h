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

/// Puts the options of a subcommand on `app`. @returns what to run
using AddCommand = Run(CLI::App& app);

/// A subcommand.
struct Command {
  const char* name;
  const char* summary;
  AddCommand* add;
  std::vector<Example> examples;
};

/// All subcommands, in the order of the help.
const std::vector<Command>& commands();

AddCommand add_check, add_fix, add_init, add_probe, add_reduce, add_rule, add_targets, add_config,
    add_completion, add_man, add_verify;

} // namespace model_validator::cli
