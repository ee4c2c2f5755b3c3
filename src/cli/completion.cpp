#include "cli/completion.h"

#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/replace.hpp>

namespace model_validator::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  return boost::algorithm::join(words, between);
}

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

std::string zsh_option(const OptionData& option) {
  std::string lines;
  for (const std::string& name : option.names) {
    lines += "            '*" + name + "[" + zsh_quoted(option.description) + "]";
    if (!option.type.empty())
      lines += ":" + option.type + ":" +
               (option.choices.empty() ? "_files" : "(" + joined(option.choices, " ") + ")");
    lines += "' \\\n";
  }
  return lines;
}

} // namespace

std::string bash_completion(const std::vector<CommandData>& commands) {
  std::string values;
  std::string options;
  for (const CommandData& command : commands) {
    values += bash_values(command);
    options += "        " + command.name + ") words=\"" + option_names(command) + "\" ;;\n";
  }
  return R"(# bash completion for model_validator
_model_validator() {
    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command=check words=
    case "${COMP_WORDS[1]}" in
        )" +
         names_of(commands, "|") +
         R"() (( COMP_CWORD > 1 )) && command="${COMP_WORDS[1]}" ;;
    esac
    case "$command $prev" in
)" + values +
         R"(    esac
    if [[ -n "$words" ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
        return
    fi
    case "$command" in
)" + options +
         R"(    esac
    if [[ "$cur" == -* ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
        return
    fi
    COMPREPLY=($(compgen -f -- "$cur"))
    if (( COMP_CWORD == 1 )); then
        COMPREPLY+=($(compgen -W ")" +
         names_of(commands, " ") + R"(" -- "$cur"))
    fi
}
complete -o filenames -F _model_validator model_validator
)";
}

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

} // namespace model_validator::cli
