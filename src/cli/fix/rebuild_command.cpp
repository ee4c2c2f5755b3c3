#include "cli/fix/rebuild_command.h"

#include "cli/fix/export_witness.h"
#include "files/process/shell_command.h"
#include "files/process/worker_process.h"
#include "files/regular_file.h"
#include "text/process_words.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/replace.hpp>

#include <cstdlib>

namespace model_validator::cli {
namespace {

using process::WorkerResult;

constexpr const char* placeholder = "{output}";

/// The last line that it printed, where Python says what is wrong.
std::string last_line(const std::filesystem::path& log) {
  constexpr std::uint64_t most = std::uint64_t{64} << 20;
  std::string text = read_regular_file(log, most).bytes;
  const auto end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return {};
  text.resize(end + 1);
  return ": " + text.substr(text.find_last_of("\r\n") + 1);
}

/// @param what  of the user's that it is: "the export"
/// @param output  what the witness notes lies next to it
/// @returns why it failed; empty where it did not
std::string run_command(const std::string& command, const std::string& what,
                        const std::filesystem::path& output, const std::filesystem::path& witness,
                        const std::optional<std::chrono::milliseconds>& limit,
                        const std::stop_token& stop) {
  const std::filesystem::path log = output.string() + ".log";
  process::Confinement free;
  free.sandbox = process::SandboxMode::off;
  free.limits.time = limit;
  process::WorkerProcess worker(
      [&] {
        // Sources change faster than the timestamps by which Python recognises stale bytecode.
        ::setenv("PYTHONDONTWRITEBYTECODE", "1", 1); // NOLINT: the process has one thread
        call_witness(witness, output);
        return std::to_string(process::run_in_shell(command, log));
      },
      free);
  const WorkerResult ended = worker.wait(stop);
  if (ended.ending == WorkerResult::Ending::stopped)
    throw Error(ErrorKind::interrupted, "", "the run was interrupted");
  if (ended.ending == WorkerResult::Ending::timed_out)
    return what + " did not end within " + seconds_in_words(*limit);
  if (ended.ending != WorkerResult::Ending::done) return what + ' ' + ended.bytes;
  if (const int status = std::stoi(ended.bytes); status != 0)
    return what + ' ' + process::shell_ending_in_words(status) + last_line(log);
  return {};
}

} // namespace

void RebuildCommand::check() const {
  if (line.find(placeholder) == std::string::npos)
    throw Error(ErrorKind::bad_command, "", "the export command does not contain {output}",
                "write it as 'python export.py {output}'");
}

std::string RebuildCommand::line_for(const std::filesystem::path& output) const {
  return boost::replace_all_copy(line, placeholder, process::quoted(output));
}

std::string RebuildCommand::run(const std::filesystem::path& output,
                                const std::filesystem::path& witness,
                                const std::stop_token& stop) const {
  if (std::string why = run_command(line_for(output), "the export", output, witness, limit, stop);
      !why.empty())
    return why;
  return std::filesystem::exists(output)
             ? ""
             : "the export ended well, but wrote no file to the path that stands in place of "
               "{output}, `" +
                   output.string() + "`: the script must save the model where it is told to";
}

std::string RebuildCommand::run_tests(const std::filesystem::path& log,
                                      const std::filesystem::path& witness,
                                      const std::stop_token& stop) const {
  if (tests.empty()) return {};
  return run_command(tests, "the command of `--prove-with`", log, witness, limit, stop);
}

} // namespace model_validator::cli
