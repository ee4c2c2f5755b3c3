#include "verify/backends/command_line.h"

#include "verify/run/scratch_folder.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/replace.hpp>

#include <cstdlib>
#include <sys/wait.h>

namespace model_validator::verify {
namespace {

std::string quoted(const std::filesystem::path& path) {
  return "'" + boost::replace_all_copy(path.string(), "'", "'\\''") + "'";
}

std::string ending_of(int status) {
  if (WIFSIGNALED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
  return "ended with exit status " + std::to_string(WEXITSTATUS(status));
}

} // namespace

void check_command(const std::string& command) {
  for (const char* placeholder : {"{inputs}", "{outputs}"})
    if (command.find(placeholder) == std::string::npos)
      throw Error("bad-command", "", std::string("the command does not say ") + placeholder,
                  "write it as './run.sh {inputs} {outputs}'");
}

NamedTensors run_command(const std::string& command, const NamedTensors& inputs) {
  check_command(command);
  const ScratchFolder folder;
  const auto input_file = folder.path() / "inputs.npz";
  const auto output_file = folder.path() / "outputs.npz";
  write_npz(input_file, inputs);
  auto line = boost::replace_all_copy(command, "{inputs}", quoted(input_file));
  boost::replace_all(line, "{outputs}", quoted(output_file));
  // The user's own command line, given to the shell as he would type it.
  const int status = std::system(line.c_str()); // NOLINT(cert-env33-c)
  if (status != 0) throw Error("command-failed", "", "the command " + ending_of(status));
  if (!std::filesystem::exists(output_file))
    throw Error("command-failed", "", "the command left no outputs",
                "it must write a .npz file to the path in place of {outputs}");
  return read_npz(output_file);
}

} // namespace model_validator::verify
