#include "verify/run/isolated.h"

#include "text/process_words.h"
#include "verify/run/scratch_folder.h"

#include <model_validator/error.h>

#include <nlohmann/json.hpp>

#include <csignal>
#include <fstream>
#include <new>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace model_validator::verify {
namespace {

using Clock = std::chrono::steady_clock;
using Ending = IsolatedOutcome::Ending;
constexpr int failed_status = 1;

void write_failure(const std::filesystem::path& file, const std::string& kind,
                   const std::string& message, const std::string& hint) {
  const nlohmann::json json{{"kind", kind}, {"message", message}, {"hint", hint}};
  std::ofstream(file) << json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Never returns: the child must not run what the parent has left to do.
[[noreturn]] void run_child(const std::function<void()>& work, const std::filesystem::path& file) {
  setpgid(0, 0);
  dup2(STDERR_FILENO, STDOUT_FILENO); // what a model prints is no part of a report
  try {
    work();
    _exit(0);
  } catch (const Error& error) {
    write_failure(file, error.kind(), error.what(), error.hint());
  } catch (const std::bad_alloc&) {
    write_failure(file, "out-of-memory", "there is not enough memory", "");
  } catch (const std::exception& error) {
    const std::string text = error.what();
    write_failure(file, "run-failed", text.substr(0, text.find('\n')), "");
  }
  _exit(failed_status);
}

/// Waits for the child; nothing when the time is over first.
std::optional<int> wait_for(pid_t child, std::optional<std::chrono::milliseconds> limit) {
  int status = 0;
  if (!limit) {
    waitpid(child, &status, 0);
    return status;
  }
  const auto end = Clock::now() + *limit;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() >= end) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return status;
}

IsolatedOutcome failure_from(const std::filesystem::path& file) {
  std::ifstream stream(file);
  const auto json = nlohmann::json::parse(stream, nullptr, false);
  if (!json.is_object()) return {Ending::crashed, "", "it ended without a result", ""};
  return {Ending::failed, json.value("kind", ""), json.value("message", ""),
          json.value("hint", "")};
}

IsolatedOutcome outcome_of(int status, const std::filesystem::path& file) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (WIFEXITED(status) && WEXITSTATUS(status) == failed_status) return failure_from(file);
  return {Ending::crashed, "", "it " + ending_in_words(status), ""};
}

} // namespace

IsolatedOutcome run_isolated(const std::function<void()>& work,
                             std::optional<std::chrono::milliseconds> limit) {
  const ScratchFolder folder;
  const auto file = folder.path() / "failure.json";
  const pid_t child = fork();
  if (child < 0) throw Error("internal-error", "", "no process can be started");
  if (child == 0) run_child(work, file);
  setpgid(child, child);
  const auto status = wait_for(child, limit);
  kill(-child, SIGKILL); // and whatever it started
  if (status) return outcome_of(*status, file);
  int ignored = 0;
  waitpid(child, &ignored, 0);
  return {Ending::timed_out, "", "it did not end within " + seconds_in_words(*limit), ""};
}

} // namespace model_validator::verify
