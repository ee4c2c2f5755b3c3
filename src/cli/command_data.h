#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace model_validator::cli {

/// An option as the help knows it.
struct OptionData {
  std::vector<std::string> names; ///< with dashes, the short ones first
  std::string description;
  std::string type; ///< `FILE`; empty for a flag
  std::vector<std::string> choices;
  std::string group;
};

struct CommandData {
  std::string name;
  std::string summary;
  std::vector<std::string> positionals;
  std::vector<OptionData> options;
};

CommandData data_of_command(const CLI::App& command);

/// The subcommands of the program, taken from its parser.
std::vector<CommandData> command_data(const CLI::App& program);

} // namespace model_validator::cli
