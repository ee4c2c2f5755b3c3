#include "cli/command_data.h"
#include "cli/commands.h"
#include "cli/console/exit_status.h"
#include "cli/console/output.h"
#include "text/lists.h"

#include <CLI/CLI.hpp>
#include <boost/algorithm/string/replace.hpp>

#include <memory>
#include <string>

namespace model_validator::cli {
namespace {

std::string names_of(const std::vector<CommandData>& commands, const char* between) {
  std::vector<std::string> names;
  for (const CommandData& command : commands) names.push_back(command.name);
  return joined(names, between);
}

std::string option_names(const CommandData& command) {
  std::vector<std::string> names;
  for (const OptionData& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return joined(names, " ");
}

/// `"check --fail-on") words="error warning" ;;`
std::string bash_values(const CommandData& command) {
  std::string cases;
  for (const OptionData& option : command.options) {
    if (option.choices.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names)
      patterns.push_back('"' + command.name + " " + name + '"');
    cases +=
        "        " + joined(patterns, "|") + ") words=\"" + joined(option.choices, " ") + "\" ;;\n";
  }
  return cases;
}

std::string zsh_quoted(std::string text) {
  boost::algorithm::replace_all(text, "'", "'\\''");
  boost::algorithm::replace_all(text, "[", "\\[");
  boost::algorithm::replace_all(text, "]", "\\]");
  boost::algorithm::replace_all(text, ":", "\\:");
  return text;
}

/// What zsh offers for an option's value: one or several of its choices, files, or nothing.
std::string zsh_action(const OptionData& option) {
  const std::string choices = joined(option.choices, " ");
  const bool files = option.type.starts_with("FILE") || option.type.starts_with("FOLDER");
  if (choices.empty()) return files ? "_files" : " ";
  return option.type.ends_with(",...") ? "_values -s , value " + choices : '(' + choices + ')';
}

std::string zsh_option(const OptionData& option) {
  std::string lines;
  for (const std::string& name : option.names) {
    const bool takes_value = !option.type.empty();
    const char* equals = takes_value && name.starts_with("--") ? "=" : "";
    lines += "            '*" + name + equals + "[" + zsh_quoted(option.description) + "]";
    if (takes_value) lines += ':' + option.type + ':' + zsh_action(option);
    lines += "' \\\n";
  }
  return lines;
}

/// A script that teaches bash the program's commands and options.
std::string bash_completion(const std::vector<CommandData>& commands) {
  std::string values;
  std::string options;
  for (const CommandData& command : commands) {
    values += bash_values(command);
    options += "        " + command.name + ") words=\"" + option_names(command) + "\" ;;\n";
  }
  return R"(# bash completion for model_validator
_model_validator() {
    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command=check words= before=
    # bash takes `--option=value` apart
    [[ "$cur" == = ]] && cur=
    [[ "$prev" == = ]] && prev="${COMP_WORDS[COMP_CWORD-2]}"
    case "${COMP_WORDS[1]}" in
        )" +
         names_of(commands, "|") +
         R"() (( COMP_CWORD > 1 )) && command="${COMP_WORDS[1]}" ;;
    esac
    case "$command $prev" in
)" + values +
         R"(    esac
    if [[ -n "$words" ]]; then
        [[ "$cur" == *,* ]] && before="${cur%,*}," # of a list the last part
        COMPREPLY=($(compgen -P "$before" -W "$words" -- "${cur##*,}"))
        return
    fi
    case "$command" in
)" + options +
         R"(    esac
    if [[ "$cur" == -* ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
        return
    fi
    # bash itself completes files, with whatever their names hold, where nothing else is found
    COMPREPLY=()
    if (( COMP_CWORD == 1 )); then
        COMPREPLY=($(compgen -W ")" +
         names_of(commands, " ") + R"(" -- "$cur"))
        if (( ${#COMPREPLY[@]} )) && [[ -n "$cur" ]]; then
            compopt -o filenames 2>/dev/null
            mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$cur")
        fi
    fi
}
complete -o bashdefault -o default -F _model_validator model_validator
)";
}

/// The same for zsh.
std::string zsh_completion(const std::vector<CommandData>& commands) {
  std::string names;
  std::string options;
  for (const CommandData& command : commands) {
    names += "        '" + command.name + ":" + zsh_quoted(command.summary) + "'\n";
    options += "        " + command.name + ")\n        _arguments \\\n";
    for (const OptionData& option : command.options) options += zsh_option(option);
    options += "            '*:file:_files' ;;\n";
  }
  return R"(#compdef model_validator
_model_validator() {
    local -a commands
    commands=(
)" + names +
         R"(    )
    if (( CURRENT == 2 )); then
        _describe command commands
        _files
    fi
    local command=check
    if [[ "$words[2]" == ()" +
         names_of(commands, "|") + R"() ]] && (( CURRENT > 2 )); then
        command="$words[2]"
        shift words
        (( CURRENT-- ))
    fi
    case "$command" in
)" + options +
         R"(    esac
}
_model_validator "$@"
)";
}

} // namespace

Run add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash or zsh")
      ->required()
      ->type_name("")
      ->check(CLI::IsMember({"bash", "zsh"}));
  return [shell, program = app.get_parent()] {
    const auto commands = command_data(*program);
    print(*shell == "zsh" ? zsh_completion(commands) : bash_completion(commands));
    return clean;
  };
}

} // namespace model_validator::cli
