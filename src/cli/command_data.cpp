#include "cli/command_data.h"

#include "cli/rule_pages.h"

#include <model_validator/target_profile.h>

#include <CLI/CLI.hpp>

namespace model_validator::cli {
namespace {

/// CLI11 keeps choices in the name of the type: `LEVEL:{error,warning}`.
std::vector<std::string> choices_in(const std::string& type) {
  const auto begin = type.find('{');
  const auto end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const RuleInfo& rule : all_rules()) names.emplace_back(rule.name);
  return names;
}

std::vector<std::string> choices_of(const std::string& type) {
  if (type.rfind("RULE", 0) == 0) return rule_names();
  if (type.rfind("NAME", 0) == 0) return target_names();
  return choices_in(type);
}

OptionData data_of(const CLI::Option& option) {
  OptionData data;
  for (const std::string& name : option.get_snames()) data.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) data.names.push_back("--" + name);
  data.description = option.get_description();
  data.group = option.get_group();
  if (option.get_items_expected_max() > 0) {
    const std::string type = option.get_type_name();
    data.type = type.substr(0, type.find(':'));
    data.choices = choices_of(type);
  }
  return data;
}

} // namespace

CommandData data_of_command(const CLI::App& command) {
  CommandData data;
  data.name = command.get_name();
  data.summary = command.get_description();
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional())
      data.positionals.push_back(option->get_name(true));
    else
      data.options.push_back(data_of(*option));
  }
  return data;
}

std::vector<CommandData> command_data(const CLI::App& program) {
  std::vector<CommandData> commands;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(data_of_command(*command));
  return commands;
}

} // namespace model_validator::cli
