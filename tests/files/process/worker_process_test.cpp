#include "files/process/model_reading.h"
#include "files/process/worker_process.h"
#include "files/process/worker_protocol.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace model_validator;
using namespace model_validator::process;
using namespace std::chrono_literals;
using Ending = WorkerResult::Ending;

namespace {

WorkerResult result_of(const std::function<std::string()>& work, const Limits& limits = {}) {
  return WorkerProcess(work, {SandboxMode::automatic, {}, limits}).wait();
}

std::string for_ever() {
  for (volatile int i = 0;;) i = i + 1;
}

} // namespace

TEST_CASE("what a worker finds comes back whole, however large") {
  const std::string large(std::size_t{20} << 20, 'x');
  const WorkerResult result = result_of([&] { return large; });
  CHECK(result.ending == Ending::done);
  CHECK(result.bytes == large);
}

TEST_CASE("an error crosses, and so does any other exception") {
  const auto error =
      result_of([]() -> std::string { throw Error(ErrorKind::too_long, "p", "c", "h"); });
  REQUIRE(error.ending == Ending::failed);
  CHECK(error.error->kind() == ErrorKind::too_long);
  CHECK(error.error->hint() == "h");
  const auto other = result_of([]() -> std::string { throw std::runtime_error("one\ntwo"); });
  REQUIRE(other.ending == Ending::failed);
  CHECK(std::string(other.error->what()) == "one");
  CHECK(other.error->kind() == ErrorKind::internal_error);
  CHECK(result_of([]() -> std::string { throw 1; }).ending == Ending::failed);
}

TEST_CASE("a worker cannot make its output seem longer than it is") {
  for (const off_t position : {off_t{1} << 62, off_t{70000}}) {
    const WorkerResult result = result_of([&] {
      ::lseek(STDOUT_FILENO, position, SEEK_SET);
      return std::string("done");
    });
    CHECK(result.ending == Ending::done);
    CHECK(result.printed.size() <= 65536);
  }
}

TEST_CASE("a crash is reported with its cause") {
  const auto crashed = result_of([]() -> std::string {
    std::signal(SIGSEGV, SIG_DFL);
    volatile int* nowhere = nullptr;
    *nowhere = 1;
    return {};
  });
  CHECK(crashed.ending == Ending::crashed);
  CHECK_THAT(crashed.bytes, Catch::Contains("signal 11"));
  const auto aborted = result_of([]() -> std::string {
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
  });
  CHECK(aborted.ending == Ending::crashed);
  CHECK_THAT(aborted.bytes, Catch::Contains("signal 6"));
  CHECK(result_of([]() -> std::string { ::_exit(7); }).ending == Ending::crashed);
}

TEST_CASE("a worker has the memory and the processor time that it is given") {
  const auto ending_with = [](std::size_t megabytes) {
    return result_of([=] { return std::to_string(std::string(megabytes << 20, 'x').size()); },
                     {std::uint64_t{64} << 20, {}, {}})
        .ending;
  };
#ifndef __SANITIZE_ADDRESS__ // whose memory counts for nobody
  CHECK(ending_with(512) == Ending::out_of_memory);
#endif
  CHECK(ending_with(16) == Ending::done);
  CHECK(result_of(for_ever, {{}, 1s, {}}).ending == Ending::out_of_processor_time);
  CHECK(result_of(for_ever, {{}, {}, 100ms}).ending == Ending::timed_out);
}

TEST_CASE("a worker that does not stop writing is ended") {
  const auto result = result_of(
      [] {
        const std::string much(std::size_t{1} << 20, 'x');
        for (;;)
          if (::write(result_descriptor, much.data(), much.size()) < 0) return std::string();
      },
      {std::uint64_t{64} << 20, {}, {}});
  CHECK(result.ending == Ending::out_of_memory);
}

TEST_CASE("a worker has no terminal") {
  const auto result = WorkerProcess([] { return std::to_string(::getsid(0) == ::getpid()); },
                                    {SandboxMode::off, {}, {}})
                          .wait();
  CHECK(result.bytes == "1");
}

TEST_CASE("a worker that ignores its signals is ended all the same") {
  const auto result = result_of(
      [] {
        for (const int signal : {SIGXCPU, SIGTERM, SIGSYS}) std::signal(signal, SIG_IGN);
        return for_ever();
      },
      {{}, 1s, {}});
  CHECK(result.ending == Ending::crashed);
}

TEST_CASE("what is printed is kept apart, and bounded") {
  const auto result = result_of([] {
    std::puts("a line");
    std::fflush(stdout);
    std::fputs("another\n", stderr);
    return std::string("result");
  });
  CHECK(result.bytes == "result");
  CHECK(result.printed == "a line\nanother\n");
  const auto much = result_of([] {
    const std::string line(1000, 'x');
    for (int i = 0; i < 1000; ++i) std::puts(line.c_str());
    return std::string("result");
  });
  CHECK(much.bytes == "result");
  CHECK(much.printed.size() <= 65536);
}

TEST_CASE("a worker holds nothing of its parent's open") {
  const test::TemporaryFolder folder;
  const int parents = ::open(folder.write("report", "").c_str(), O_WRONLY);
  const auto result = result_of([&] {
    return std::to_string(::write(parents <= request_descriptor ? 99 : parents, "x", 1));
  });
  ::close(parents);
  CHECK(result.bytes == "-1");
}

TEST_CASE("a request to stop ends a worker") {
  std::stop_source source;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(100ms);
    source.request_stop();
  });
  WorkerProcess worker(for_ever, {});
  CHECK(worker.wait(source.get_token()).ending == Ending::stopped);
}

TEST_CASE("a worker ends with the object that stands for it, and with its parent") {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "written";
  const auto worker_that_writes = [&] {
    return std::make_unique<WorkerProcess>(
        [&] {
          std::this_thread::sleep_for(500ms);
          std::ofstream(file) << "x";
          return std::string();
        },
        Confinement{SandboxMode::off, {}, {}});
  };
  SECTION("the object goes") { worker_that_writes().reset(); }
  SECTION("the parent is killed") {
    const pid_t parent = ::fork();
    if (parent == 0) {
      const auto worker = worker_that_writes();
      ::pause();
    }
    std::this_thread::sleep_for(200ms);
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
  }
  std::this_thread::sleep_for(800ms);
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("a worker that needs a library is restarted with it") {
  bool loaded = false;
  std::string asked;
  const auto result = run_worker(
      [&] {
        if (!loaded) request_library("lib.so");
        return std::string("with it");
      },
      {},
      [&](const std::string& name) {
        asked = name;
        loaded = true;
      });
  CHECK(asked == "lib.so");
  CHECK(result.bytes == "with it");
  request_library("lib.so"); // no worker: nothing happens
}

TEST_CASE("a worker that asks for libraries without end is not restarted") {
  std::size_t asked = 0;
  const auto result = run_worker(
      [] {
        request_library("lib.so");
        return std::string();
      },
      {}, [&](const std::string&) { ++asked; });
  CHECK(asked == max_requests);
  CHECK(result.ending == WorkerResult::Ending::needs_library);
  CHECK(std::string(error_of(result, "m.pt", {}).what()).find("without end") != std::string::npos);
}
