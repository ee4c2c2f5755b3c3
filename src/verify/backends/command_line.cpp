#include "verify/backends/command_line.h"

#include "files/process/shell_command.h"
#include "files/scratch_folder.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/replace.hpp>

namespace model_validator::verify {
namespace {

NamedTensors read_outputs(const std::filesystem::path& file) {
  const char* hint = "it must write a .npz file to the path that replaces {outputs}";
  if (!std::filesystem::exists(file))
    throw Error(ErrorKind::command_failed, "", "the command left no outputs", hint);
  try {
    return read_npz(file);
  } catch (const Error& error) {
    throw Error(ErrorKind::command_failed, "",
                std::string("the command left outputs that cannot be read: ") + error.what(),
                error.hint().empty() ? hint : error.hint());
  }
}

} // namespace

void check_command(const std::string& command) {
  for (const char* placeholder : {"{inputs}", "{outputs}"})
    if (command.find(placeholder) == std::string::npos)
      throw Error(ErrorKind::bad_command, "",
                  std::string("the command does not contain ") + placeholder,
                  "write it as './run.sh {inputs} {outputs}'");
}

NamedTensors run_command(const std::string& command, const NamedTensors& inputs) {
  check_command(command);
  const ScratchFolder folder;
  const auto input_file = folder.path() / "inputs.npz";
  const auto output_file = folder.path() / "outputs.npz";
  write_npz(input_file, inputs);
  auto line = boost::replace_all_copy(command, "{inputs}", process::quoted(input_file));
  boost::replace_all(line, "{outputs}", process::quoted(output_file));
  const int status = process::run_in_shell(line);
  if (status != 0)
    throw Error(ErrorKind::command_failed, "",
                "the command " + process::shell_ending_in_words(status));
  return read_outputs(output_file);
}

} // namespace model_validator::verify
