#include "files/process/shell_command.h"

#include "text/process_words.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/replace.hpp>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace model_validator::process {
namespace {

void print_to(const std::filesystem::path& log) {
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  ::dup2(file, STDOUT_FILENO);
  ::dup2(file, STDERR_FILENO);
}

} // namespace

std::string quoted(const std::filesystem::path& path) {
  return "'" + boost::replace_all_copy(path.string(), "'", "'\\''") + "'";
}

int run_in_shell(const std::string& line, const std::filesystem::path& log) {
  const pid_t parent = ::getpid();
  const pid_t shell = ::fork();
  if (shell < 0) throw Error(ErrorKind::internal_error, "", "no process can be started");
  if (shell == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!log.empty()) print_to(log);
    if (::getppid() == parent) ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    constexpr int not_found = 127;
    ::_exit(not_found);
  }
  int status = 0;
  while (::waitpid(shell, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// A shell reports by a status above 128 that a signal ended a program that it started.
std::string shell_ending_in_words(int status) {
  constexpr int not_executable = 126, not_found = 127, signalled = 128, max_signals = 64;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  if (code == not_executable) return "names a program that cannot be executed, exit status 126";
  if (code == not_found) return "names a program that was not found, exit status 127";
  if (code <= signalled || code > signalled + max_signals) return ending_in_words(status);
  return ending_in_words(code - signalled) + ", exit status " + std::to_string(code);
}

} // namespace model_validator::process
