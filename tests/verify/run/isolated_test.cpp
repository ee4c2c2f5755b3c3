#include "verify/run/isolated.h"
#include "verify/run/scratch_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace model_validator;
using namespace model_validator::verify;
using Ending = IsolatedOutcome::Ending;

TEST_CASE("work in a process of its own leaves its results in files") {
  const ScratchFolder folder;
  const auto file = folder.path() / "result";
  const auto outcome = run_isolated([&] { std::ofstream(file) << "done"; });
  CHECK(outcome.ending == Ending::done);
  CHECK(std::filesystem::exists(file));
}

TEST_CASE("an error crosses the border whole") {
  const auto outcome = run_isolated([] { throw Error("bad-inputs", "", "too few", "give more"); });
  CHECK(outcome.ending == Ending::failed);
  CHECK(outcome.kind == "bad-inputs");
  CHECK(outcome.message == "too few");
  CHECK(outcome.hint == "give more");
}

TEST_CASE("any exception is one line") {
  const auto outcome = run_isolated([] { throw std::runtime_error("first\nsecond"); });
  CHECK(outcome.ending == Ending::failed);
  CHECK(outcome.kind == "run-failed");
  CHECK(outcome.message == "first");
}

TEST_CASE("a crash is told by its signal") {
  const auto outcome = run_isolated([] { std::raise(SIGKILL); });
  CHECK(outcome.ending == Ending::crashed);
  CHECK_THAT(outcome.message, Catch::Contains("signal 9"));
}

TEST_CASE("what the work prints is no part of what the program prints") {
  const ScratchFolder folder;
  const auto printed = (folder.path() / "printed").string();
  // As a program whose output goes to a file.
  const auto outcome = run_isolated([&] {
    if (std::freopen(printed.c_str(), "w", stdout) == nullptr) throw std::runtime_error("no file");
    const auto inner = run_isolated([] {
      std::puts("from the model");
      std::fflush(stdout);
    });
    if (inner.ending != Ending::done) throw std::runtime_error("the inner work failed");
  });
  CHECK(outcome.ending == Ending::done);
  CHECK(std::filesystem::file_size(printed) == 0);
}

TEST_CASE("leaving without a result is a crash") {
  CHECK(run_isolated([] { _exit(7); }).ending == Ending::crashed);
  CHECK(run_isolated([] { _exit(1); }).ending == Ending::crashed);
}

TEST_CASE("work that does not end is ended") {
  const auto outcome = run_isolated(
      [] {
        for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
      },
      std::chrono::milliseconds(200));
  CHECK(outcome.ending == Ending::timed_out);
  CHECK_THAT(outcome.message, Catch::Contains("0.2 s"));
}
