#include "cli/command_line.h"

#include "cli/command_data.h"
#include "cli/commands.h"
#include "cli/console/exit_status.h"
#include "cli/console/output.h"
#include "connected_graph/out_of_memory.h"
#include "files/current_folder.h"
#include "libraries/torch_libraries.h"
#include "report/version.h"
#include "text/nearest.h"

#include <CLI/CLI.hpp>
#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <map>
#include <new>
#include <string_view>
#include <utility>

namespace model_validator::cli {
namespace {

constexpr const char* description = "Lints exported neural networks before they are compiled.";
constexpr const char* footer =
    "`model_validator MODEL...` is short for `model_validator check MODEL...`.\n"
    "`model_validator hub`, for whole stores of models, comes with the Python package's extra "
    "`hub`.\n"
    "Exit status: 0 clean, 1 findings, 2 usage or unreadable file, 3 internal error.";

/// An example that is longer has its meaning below it.
constexpr std::size_t longest_line = 50;

bool is_command(const std::string& word) {
  return std::ranges::any_of(commands(),
                             [&](const Command& command) { return word == command.name; });
}

bool is_own_flag(const std::string& word) {
  return word == "-h" || word == "--help" || word == "--version" || word == "--help-all";
}

/// The first option on the command line that the command does not know; empty when it knows all.
std::string unknown_option(const CLI::App& command) {
  for (const std::string& word : command.remaining())
    if (word.size() > 1 && word.front() == '-' && word != "--")
      return word.substr(0, word.starts_with("--") ? word.find('=') : 2);
  return {};
}

/// The options that one letter may stand for: those that begin with it.
std::string meant_by_letter(char letter, const std::vector<std::string>& known) {
  std::vector<std::string> longer;
  for (const std::string& name : known)
    if (name.starts_with(std::string("--") + letter)) longer.push_back("`" + name + "`");
  constexpr std::size_t most = 3;
  return longer.empty() || longer.size() > most ? std::string()
                                                : boost::algorithm::join(longer, " or ");
}

/// The option that was most likely meant.
std::string meant_by(const CLI::App& command, const std::string& unknown) {
  std::vector<std::string> known;
  std::string near;
  for (const OptionData& option : data_of_command(command).options) {
    known.insert(known.end(), option.names.begin(), option.names.end());
    for (const std::string& choice : option.choices) // `--json` of `--output-format json`
      if (near.empty() && "--" + choice == unknown)
        near = "`" + option.names.back() + " " + choice + "`";
  }
  if (!near.empty()) return "did you mean " + near + "? ";
  if (!unknown.starts_with("--"))
    near = meant_by_letter(unknown[1], known);
  else if (const std::string option = rules::nearest(unknown, known); !option.empty())
    near = "`" + option + "`";
  return near.empty() ? near : "did you mean " + near + "? ";
}

/// The commands of the Python package alone.
void refuse_python_command(const std::vector<std::string>& arguments) {
  const std::string command = arguments.empty() ? "" : arguments.front();
  std::error_code failed;
  if ((command != "hub" && command != "migrate") || std::filesystem::exists(command, failed))
    return;
  throw Error(ErrorKind::usage, "",
              "`" + command + "` needs Python, which this program does not include",
              "install the wheel" + std::string(command == "hub" ? ", with its extra `hub`," : "") +
                  " and use the command that it brings");
}

/// What commands are called elsewhere, and here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> other_names{{
    {"lint", "check"},
    {"validate", "check"},
    {"run", "check"},
    {"test", "check"},
    {"scan", "check"},
    {"analyze", "check"},
    {"compare", "verify"},
    {"info", "inspect"},
    {"show", "graph"},
    {"list", "targets"},
    {"explain", "rule"},
    {"rules", "rule --all"},
    {"quantize-plan", "quantise-plan"},
}};

/// The command that a word most likely means; empty for none.
std::string command_meant_by(const std::string& word) {
  for (const auto& [elsewhere, here] : other_names)
    if (word == elsewhere) return std::string(here);
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return rules::nearest(word, names);
}

/// `help verify` and `version`, which are commands of other programs.
std::vector<std::string> with_flags(std::vector<std::string> arguments) {
  std::error_code failed;
  if (arguments.empty() || std::filesystem::exists(arguments.front(), failed)) return arguments;
  if (arguments.front() == "version") return {"--version"};
  if (arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.resize(std::min<std::size_t>(arguments.size(), 1));
  arguments.emplace_back("--help");
  return arguments;
}

/// Rejects a word that is neither a command nor a file, but nearly a command.
void refuse_mistyped_command(const std::vector<std::string>& arguments) {
  if (arguments.empty() || is_command(arguments.front())) return;
  const std::string& word = arguments.front();
  std::error_code failed;
  if (word.starts_with('-') || word.find_first_of("./*?[") != std::string::npos ||
      std::filesystem::exists(word, failed))
    return;
  if (const std::string near = command_meant_by(word); !near.empty())
    throw Error(ErrorKind::usage, "", "there is no command and no file `" + word + "`",
                "did you mean `" + near + "`? see `model_validator --help`");
}

/// Rejects a command behind options, as in `-q fix model.pt`: it would be taken for a file to
/// check.
void refuse_command_behind_options(const std::vector<std::string>& arguments) {
  if (arguments.empty() || !arguments.front().starts_with('-') || is_own_flag(arguments.front()))
    return;
  std::error_code failed;
  for (std::size_t i = 1; i < arguments.size() && arguments[i - 1] != "--"; ++i)
    if (is_command(arguments[i]) && !arguments[i - 1].starts_with("--") &&
        !std::filesystem::exists(arguments[i], failed))
      throw Error(ErrorKind::usage, "", "`" + arguments[i] + "` is a command, which comes first",
                  "write `model_validator " + arguments[i] + " …`, and options after it");
}

/// Mostly a variable of the shell that is not set: `--output-file "$REPORT"`.
void refuse_empty_words(const std::vector<std::string>& arguments) {
  std::string before = "model_validator";
  for (const std::string& word : arguments) {
    const bool lacks_value = word.starts_with("--") && word.ends_with('=');
    if (word.empty() || lacks_value)
      throw Error(ErrorKind::usage, "",
                  "there is nothing after `" + (lacks_value ? word : before) + "`",
                  "leave it out, or check the variable that the text comes from");
    before = word;
  }
}

/// A pattern that the shell expands, such as `*.onnx`, may find files that somebody has named like
/// options.
void refuse_files_named_like_options(const std::vector<std::string>& arguments) {
  for (const std::string& word : arguments) {
    if (word == "--") return;
    std::error_code failed;
    if (word.size() > 1 && word.front() == '-' &&
        std::filesystem::exists(std::filesystem::symlink_status(word, failed)))
      throw Error(ErrorKind::usage, "", "`" + word + "` is both an option and the name of a file",
                  "write `--` before the names of files, or `./" + word + "`");
  }
}

/// Help or version: not an error, since it was asked for.
int show_help(const CLI::App& app, const CLI::ParseError& asked) {
  Output output;
  const int status = app.exit(asked, output.stream());
  output.finish();
  return status;
}

int report_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto used = app.get_subcommands();
  const std::string name = used.empty() ? "" : " " + used.front()->get_name();
  const std::string unknown = used.empty() ? "" : unknown_option(*used.front());
  // CLI11 asks for required options before it names unknown ones.
  const std::string cause = unknown.empty() ? error.what() : "there is no option `" + unknown + "`";
  const std::string meant = unknown.empty() ? unknown : meant_by(*used.front(), unknown);
  print_error(
      Error(ErrorKind::usage, "", cause, meant + "see `model_validator" + name + " --help`"));
  return usage_error;
}

int guarded(const Run& command) {
  try {
    return command();
  } catch (const BrokenPipe&) {
    return clean;
  } catch (const Error& error) {
    print_error(error);
    return error.kind() == ErrorKind::internal_error ? internal_fault : usage_error;
  } catch (const std::bad_alloc&) {
    print_error(out_of_memory("", "there is not enough memory"));
    return usage_error;
  } catch (const std::filesystem::filesystem_error& error) {
    print_error(Error(ErrorKind::cannot_read, error.path1().string(),
                      "the path leads nowhere: " + error.code().message(),
                      "check the path, and the links in it"));
    return usage_error;
  } catch (const std::exception& error) {
    print_error(Error(ErrorKind::internal_error, "", std::string("internal error: ") + error.what(),
                      "this is a fault in model_validator: please report it"));
    return internal_fault;
  }
}

/// With the versions of torch that TorchScript can be read with.
std::string version_text() {
  const auto served = served_torch_versions();
  return std::string("model_validator ") + version + " (" +
         (served.empty() ? "without torch" : "torch " + boost::algorithm::join(served, ", ")) + ")";
}

int parse_and_run(CLI::App& app, const std::map<std::string, Run>& runs,
                  std::vector<std::string> arguments) {
  refuse_empty_words(arguments);
  arguments = with_flags(std::move(arguments));
  refuse_files_named_like_options(arguments);
  refuse_python_command(arguments);
  refuse_mistyped_command(arguments);
  refuse_command_behind_options(arguments);
  arguments = with_subcommand(std::move(arguments));
  if (arguments.empty()) {
    std::cerr << app.help();
    return usage_error;
  }
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() != 0 ? report_parse_error(app, error) : show_help(app, error);
  }
  require_current_folder();
  return runs.at(app.get_subcommands().front()->get_name())();
}

std::string in_words(const std::vector<Example>& examples) {
  std::size_t width = 0;
  for (const Example& each : examples)
    if (const std::size_t length = std::string_view(each.line).size(); length <= longest_line)
      width = std::max(width, length);
  std::string text = "Examples:";
  for (const Example& each : examples) {
    const std::string line = each.line;
    const bool beside = line.size() <= longest_line;
    text += "\n  model_validator " + line +
            (beside ? std::string(width - line.size() + 2, ' ') : "\n      ") + each.meaning;
  }
  return text;
}

/// @returns what each does
std::map<std::string, Run> add_commands(CLI::App& app) {
  app.require_subcommand(1);
  std::map<std::string, Run> runs;
  for (const Command& command : commands()) {
    CLI::App* subcommand = app.add_subcommand(command.name, command.summary);
    runs[command.name] = command.add(*subcommand);
    const std::string closing = subcommand->get_footer();
    subcommand->footer(in_words(command.examples) + (closing.empty() ? "" : "\n") + closing);
  }
  return runs;
}

} // namespace

std::vector<std::string> with_subcommand(std::vector<std::string> arguments) {
  if (arguments.empty() || is_command(arguments.front()) || is_own_flag(arguments.front()))
    return arguments;
  arguments.insert(arguments.begin(), "check");
  return arguments;
}

bool understands(const std::vector<std::string>& arguments) {
  CLI::App app;
  const auto runs = add_commands(app); // they own what the options set
  std::vector<std::string> words(arguments.rbegin(), arguments.rend());
  try {
    app.parse(words);
    return true;
  } catch (const CLI::ParseError&) {
    return false;
  }
}

int run(const std::vector<std::string>& arguments) {
  CLI::App app(description, "model_validator");
  app.set_version_flag("--version", version_text);
  app.footer(footer);
  const std::map<std::string, Run> runs = add_commands(app);
  return guarded([&] { return parse_and_run(app, runs, arguments); });
}

} // namespace model_validator::cli
