#include "cli/command_data.h"
#include "cli/commands.h"
#include "cli/console/exit_status.h"
#include "cli/console/output.h"
#include "report/version.h"

#include <CLI/CLI.hpp>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/replace.hpp>

#include <string>

namespace model_validator::cli {
namespace {

std::string troff(std::string text) {
  boost::algorithm::replace_all(text, "\\", "\\e");
  boost::algorithm::replace_all(text, "-", "\\-");
  if (!text.empty() && (text[0] == '.' || text[0] == '\'')) text.insert(0, "\\&");
  return text;
}

std::string item(const OptionData& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back("\\fB" + troff(name) + "\\fR");
  std::string text = ".TP\n" + boost::algorithm::join(names, ", ");
  if (!option.type.empty()) text += " \\fI" + troff(option.type) + "\\fR";
  return text + "\n" + troff(option.description) + "\n";
}

std::string section(const CommandData& command) {
  std::string text = ".SS model_validator " + command.name;
  for (const std::string& positional : command.positionals) text += " " + troff(positional);
  text += "\n" + troff(command.summary) + "\n";
  std::string group;
  for (const OptionData& option : command.options) {
    if (option.group != group && option.group != "Options")
      text += ".PP\n\\fI" + troff(option.group) + "\\fR\n";
    group = option.group;
    text += item(option);
  }
  return text;
}

std::string synopsis(const std::vector<CommandData>& commands) {
  std::string text = "\\fBmodel_validator\\fR [\\fIOPTIONS\\fR] \\fIMODEL\\fR...\n";
  for (const CommandData& command : commands)
    text += ".br\n\\fBmodel_validator " + command.name + "\\fR [\\fIOPTIONS\\fR] " +
            boost::algorithm::to_upper_copy(boost::algorithm::join(command.positionals, " ")) +
            "\n";
  return text;
}

constexpr const char* closing = R"(.SH EXIT STATUS
.TP
0
clean, or nothing at or above \fB\-\-fail\-on\fR
.TP
1
findings
.TP
2
usage, configuration, or a file that could not be read
.TP
3
internal error
.TP
130
interrupted; what was finished has been reported
.SH ENVIRONMENT
.TP
NO_COLOR
when set, reports are not coloured unless \fB\-\-color always\fR is given
.SH FILES
.TP
model_validator.toml
the configuration, looked for from the model's folder upwards
.TP
pyproject.toml
the same, in its table [tool.model_validator]
)";

/// The manual page, as troff.
std::string man_page(const std::vector<CommandData>& commands) {
  std::string text = ".TH MODEL_VALIDATOR 1 \"\" \"model_validator " + std::string(version) +
                     "\" \"User Commands\"\n.SH NAME\nmodel_validator \\- lints exported neural "
                     "networks before they are compiled\n.SH SYNOPSIS\n" +
                     synopsis(commands) + ".SH COMMANDS\n";
  for (const CommandData& command : commands) text += section(command);
  return text + closing;
}

} // namespace

Run add_man(CLI::App& app) {
  return [program = app.get_parent()] {
    print(man_page(command_data(*program)));
    return clean;
  };
}

} // namespace model_validator::cli
