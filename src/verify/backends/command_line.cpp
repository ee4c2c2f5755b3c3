#include "verify/backends/command_line.h"

#include "text/process_words.h"
#include "verify/run/scratch_folder.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/replace.hpp>

#include <cerrno>
#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace model_validator::verify {
namespace {

std::string quoted(const std::filesystem::path& path) {
  return "'" + boost::replace_all_copy(path.string(), "'", "'\\''") + "'";
}

/// A shell tells with a status beyond 128 that a program it started was ended by a signal.
std::string ending_of(int status) {
  constexpr int not_executable = 126, not_found = 127, signalled = 128, most_signals = 64;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  if (code == not_executable) return "names a program that cannot be executed, exit status 126";
  if (code == not_found) return "names a program that was not found, exit status 127";
  if (code <= signalled || code > signalled + most_signals) return ending_in_words(status);
  return ending_in_words(code - signalled) + ", exit status " + std::to_string(code);
}

NamedTensors read_outputs(const std::filesystem::path& file) {
  const char* hint = "it must write a .npz file to the path in place of {outputs}";
  if (!std::filesystem::exists(file))
    throw Error("command-failed", "", "the command left no outputs", hint);
  try {
    return read_npz(file);
  } catch (const Error& error) {
    throw Error("command-failed", "",
                std::string("the command left outputs that cannot be read: ") + error.what(),
                error.hint().empty() ? hint : error.hint());
  }
}

/// The user's own command line, given to the shell as he would type it. It ends with this process.
/// @returns its status, as `waitpid` gives it
int run_in_shell(const std::string& line) {
  const pid_t parent = getpid();
  const pid_t shell = fork();
  if (shell < 0) throw Error("internal-error", "", "no process can be started");
  if (shell == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    constexpr int not_found = 127;
    _exit(not_found);
  }
  int status = 0;
  while (waitpid(shell, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
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
  const int status = run_in_shell(line);
  if (status != 0) throw Error("command-failed", "", "the command " + ending_of(status));
  return read_outputs(output_file);
}

} // namespace model_validator::verify
