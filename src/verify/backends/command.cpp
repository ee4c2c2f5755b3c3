#include "files/process/shell_command.h"
#include "files/scratch_folder.h"
#include "verify/backends/builtin.h"
#include "verify/backends/flat_backend.h"
#include "verify/inputs/npz.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace model_validator::verify {
namespace {

/// The end of what a program printed, a program's reason for failing among it, as lines below a
/// message.
std::string printed(const std::filesystem::path& log) {
  constexpr std::ptrdiff_t max_lines = 20, max_bytes = 4096;
  std::ifstream stream(log, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::ptrdiff_t>(stream.tellg());
  stream.seekg(std::max<std::ptrdiff_t>(0, size - max_bytes));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::vector<std::string> lines;
  boost::split(lines, boost::trim_copy(text), boost::is_any_of("\n"));
  const auto first = std::max<std::ptrdiff_t>(0, std::ssize(lines) - max_lines);
  lines.erase(lines.begin(), lines.begin() + first);
  return boost::trim_copy(text).empty() ? "" : "; it printed\n" + boost::join(lines, "\n");
}

NamedTensors read_outputs(const std::filesystem::path& file, const std::filesystem::path& log) {
  const char* hint = "it must write a .npz file to the path that replaces {outputs}";
  if (!std::filesystem::exists(file))
    throw Error(ErrorKind::command_failed, "", "the command left no outputs" + printed(log), hint);
  try {
    return read_npz(file);
  } catch (const Error& error) {
    throw Error(ErrorKind::command_failed, "",
                std::string("the command left outputs that cannot be read: ") + error.what() +
                    printed(log),
                error.hint().empty() ? hint : error.hint());
  }
}

/// @throws Error (`bad-command`) when a placeholder is missing
void check_command(const std::string& command) {
  for (const char* placeholder : {"{inputs}", "{outputs}"})
    if (command.find(placeholder) == std::string::npos)
      throw Error(ErrorKind::bad_command, "",
                  std::string("the command does not contain ") + placeholder,
                  "write it as './run.sh {inputs} {outputs}'");
}

/// Passes the inputs as `.npz` to a program and reads the outputs that it leaves. In `command`,
/// `{inputs}` and `{outputs}` stand for the paths of the two files, `{model}` for that of the
/// model.
/// @throws Error (`bad-command`, `command-failed`)
NamedTensors run_command(const std::string& command, const std::filesystem::path& model,
                         const NamedTensors& inputs) {
  check_command(command);
  const ScratchFolder folder;
  const auto input_file = folder.path() / "inputs.npz";
  const auto output_file = folder.path() / "outputs.npz";
  write_npz(input_file, inputs);
  auto line = boost::replace_all_copy(command, "{inputs}", process::quoted(input_file));
  boost::replace_all(line, "{outputs}", process::quoted(output_file));
  boost::replace_all(line, "{model}", process::quoted(model));
  const auto log = folder.path() / "log";
  const int status = process::run_in_shell(line, log);
  if (status != 0)
    throw Error(ErrorKind::command_failed, "",
                "the command " + process::shell_ending_in_words(status) + printed(log));
  return read_outputs(output_file, log);
}

class Command final : public Backend {
public:
  std::string name() const override { return "command"; }
  std::string summary() const override {
    return "any program that reads inputs and writes outputs as .npz";
  }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>&,
                        const BackendOptions& options) const override {
    expect_cpu(options, name());
    check_command(options.command);
    // A module of a library has no file.
    const auto file = input.file.empty() ? input.file : std::filesystem::absolute(input.file);
    return from_flat([command = options.command, file](
                         const NamedTensors& inputs) { return run_command(command, file, inputs); },
                     input.input_names);
  }
};

} // namespace

std::shared_ptr<const Backend> command_backend() { return std::make_shared<Command>(); }

} // namespace model_validator::verify
