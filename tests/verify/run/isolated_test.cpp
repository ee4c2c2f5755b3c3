#include "files/scratch_folder.h"
#include "verify/run/isolated.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace model_validator;
using namespace model_validator::verify;
using Ending = IsolatedOutcome::Ending;

namespace {

IsolatedOutcome run_alone(const std::function<void()>& work) {
  const ScratchFolder folder;
  return run_isolated(work, {folder.path()});
}

} // namespace

TEST_CASE("work in a process of its own leaves its results in files") {
  const ScratchFolder folder;
  const auto file = folder.path() / "result";
  const auto outcome = run_isolated([&] { std::ofstream(file) << "done"; }, {folder.path()});
  CHECK(outcome.ending == Ending::done);
  CHECK(std::filesystem::exists(file));
}

TEST_CASE("an error crosses the process boundary whole") {
  const auto outcome =
      run_alone([] { throw Error(ErrorKind::bad_inputs, "", "too few", "give more"); });
  CHECK(outcome.ending == Ending::failed);
  CHECK(outcome.kind == ErrorKind::bad_inputs);
  CHECK(outcome.message == "too few");
  CHECK(outcome.hint == "give more");
}

TEST_CASE("any exception is one line") {
  const auto outcome = run_alone([] { throw std::runtime_error("first\nsecond"); });
  CHECK(outcome.ending == Ending::failed);
  CHECK(outcome.kind == ErrorKind::run_failed);
  CHECK(outcome.message == "first");
}

TEST_CASE("a crash is reported with its signal") {
  const auto outcome = run_alone([] { std::raise(SIGKILL); });
  CHECK(outcome.ending == Ending::crashed);
  CHECK_THAT(outcome.message, Catch::Contains("signal 9"));
}

TEST_CASE("leaving without a result is a crash") {
  CHECK(run_alone([] { _exit(7); }).ending == Ending::crashed);
  CHECK(run_alone([] { _exit(1); }).ending == Ending::crashed);
}

TEST_CASE("work that does not end is ended") {
  const ScratchFolder folder;
  const auto outcome = run_isolated(
      [] {
        for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
      },
      {folder.path(), std::chrono::milliseconds(200)});
  CHECK(outcome.ending == Ending::timed_out);
  CHECK_THAT(outcome.message, Catch::Contains("0.2 s"));
}

TEST_CASE("work that writes outside its folder does not get to") {
  const ScratchFolder elsewhere;
  const auto file = elsewhere.path() / "canary";
  run_alone([&] { std::ofstream(file) << "written"; });
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("work starts no programs") {
  const ScratchFolder elsewhere;
  const auto file = elsewhere.path() / "canary";
  const auto outcome = run_alone([&] {
    if (std::system(("touch " + file.string()).c_str()) != 0) return; // NOLINT
  });
  CHECK_FALSE(std::filesystem::exists(file));
  CHECK(outcome.ending == Ending::crashed);
}

TEST_CASE("temporary files of the work lie in its folder") {
  const ScratchFolder folder;
  run_isolated([] { std::ofstream(std::filesystem::temp_directory_path() / "left") << "x"; },
               {folder.path()});
  CHECK(std::filesystem::exists(folder.path() / "left"));
}

namespace {

std::size_t megabytes_in_use() {
  std::size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::size_t>(getpagesize()) >> 20U;
}

/// Small blocks, of which the last stays, so that no allocator gives the rest back by itself.
void use_memory(std::size_t megabytes) {
  static std::unique_ptr<std::string> last;
  std::vector<std::unique_ptr<std::string>> blocks;
  for (std::size_t i = 0; i < megabytes << 10U; ++i)
    blocks.push_back(std::make_unique<std::string>(1000, 'x'));
  last = std::move(blocks.back());
}

/// Does what it is asked, and says which process it is.
void obey(const std::filesystem::path& folder, const std::string& request) {
  if (request == "throw") throw Error(ErrorKind::bad_inputs, "", "too few", "give more");
  if (request == "crash") std::raise(SIGSEGV);
  if (request == "leave") _exit(0);
  if (request == "use") use_memory(128);
  while (request == "hang") std::this_thread::sleep_for(std::chrono::seconds(1));
  std::ofstream(folder / "process") << getpid();
  std::ofstream(folder / "memory") << megabytes_in_use();
}

class Obedient {
public:
  IsolatedOutcome ask(const std::string& request,
                      std::optional<std::chrono::milliseconds> limit = {}) {
    return runner_.ask([this](const std::string& asked) { obey(folder_.path(), asked); }, request,
                       limit);
  }
  /// The process that answers.
  std::string process() {
    REQUIRE(ask("").ending == Ending::done);
    std::string number;
    std::ifstream(folder_.path() / "process") >> number;
    return number;
  }
  std::size_t megabytes() {
    REQUIRE(ask("").ending == Ending::done);
    std::size_t number = 0;
    std::ifstream(folder_.path() / "memory") >> number;
    return number;
  }

private:
  ScratchFolder folder_;
  IsolatedRunner runner_{Isolation{folder_.path()}};
};

} // namespace

TEST_CASE("a process that stays answers one request after the other, an error among them") {
  Obedient runner;
  const std::string process = runner.process();
  const auto outcome = runner.ask("throw");
  CHECK(outcome.ending == Ending::failed);
  CHECK(outcome.kind == ErrorKind::bad_inputs);
  CHECK(outcome.hint == "give more");
  CHECK(runner.process() == process);
}

TEST_CASE("a process that stays gives back memory that an answer took") {
  Obedient runner;
  const std::size_t before = runner.megabytes();
  CHECK(runner.ask("use").ending == Ending::done);
  CHECK(runner.megabytes() < before + 64);
}

TEST_CASE("where a process that stays ends, the next request starts another") {
  Obedient runner;
  std::string process = runner.process();
  for (const std::string ending : {"crash", "leave", "hang"}) {
    INFO(ending);
    const auto outcome = runner.ask(ending, std::chrono::seconds(1));
    CHECK(outcome.ending == (ending == "hang" ? Ending::timed_out : Ending::crashed));
    const std::string next = runner.process();
    CHECK(next != process);
    process = next;
  }
}

TEST_CASE("the time of one request does not count for the next") {
  Obedient runner;
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    CHECK(runner.ask("", std::chrono::milliseconds(500)).ending == Ending::done);
  }
}
