#include "checks.h"
#include "files/process/worker_protocol.h"
#include "lint/lint_files.h"
#include "lint/result_bytes.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <csignal>
#include <stop_token>
#include <thread>

using namespace model_validator;
using namespace std::chrono_literals;
using test::ScriptedCheck;
using test::TemporaryFolder;

namespace {

/// A graph without nodes: IR version 8, opset 17.
const std::string empty_onnx("\x08\x08\x42\x04\x0a\x00\x10\x11\x3a\x05\x12\x03net", 15);

const RuleInfo rule = test::rule_named("scripted", "GRA999");

/// Files that are linted with a check of the test's own.
class Run {
public:
  void add(ScriptedCheck::Script script) {
    checks_.push_back(std::make_unique<ScriptedCheck>(rule, std::move(script)));
    auto settings = std::make_shared<Settings>();
    settings->enabled = {checks_.back().get()};
    const auto file = folder_.write(std::to_string(tasks_.size()) + ".onnx", empty_onnx);
    tasks_.push_back({{file.filename().string(), file, {}}, settings});
  }
  void add_finding(const std::string& message) {
    add([message](Diagnostics& d) { d.add(d.start(message)); });
  }

  std::vector<FileResult> results(std::chrono::milliseconds limit, unsigned jobs = 2,
                                  const std::stop_token& stop = {}) const {
    std::vector<FileResult> results;
    process::ReadingPolicy reading;
    reading.timeout = limit;
    lint_files(tasks_, {}, {reading, jobs}, stop,
               [&](FileResult result) { results.push_back(std::move(result)); });
    return results;
  }
  const FileTask& task(std::size_t i) const { return tasks_.at(i); }

private:
  TemporaryFolder folder_;
  std::vector<std::unique_ptr<ScriptedCheck>> checks_;
  std::vector<FileTask> tasks_;
};

void sleep_for_ever(Diagnostics&) { std::this_thread::sleep_for(24h); }
void crash(Diagnostics&) {
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
}

std::string what(const FileResult& result) {
  return result.report.error ? std::string(to_string(result.report.error->kind()))
                             : result.report.findings.at(0).message;
}

} // namespace

TEST_CASE("files in processes of their own come in order, with their settings") {
  Run run;
  for (const char* message : {"first", "second", "third", "fourth", "fifth"})
    run.add_finding(message);
  const auto results = run.results(10min);
  REQUIRE(results.size() == 5);
  CHECK(what(results[0]) == "first");
  CHECK(what(results[4]) == "fifth");
  for (std::size_t i = 0; i < results.size(); ++i)
    CHECK(results[i].settings == run.task(i).settings);
}

TEST_CASE("a process that sends no result is an error of its file, and the others are linted") {
  Run run;
  run.add_finding("fine");
  for (const std::string& bytes :
       {std::string(), std::string(1000, '\xff'), std::string(1000, '\0')})
    run.add([bytes](Diagnostics&) { process::end_worker(process::WorkerStatus::done, bytes); });
  run.add_finding("fine too");
  const auto results = run.results(10min);
  REQUIRE(results.size() == 5);
  CHECK(what(results[0]) == "fine");
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(what(results[i]) == "crashed");
    CHECK_FALSE(results[i].fault);
    CHECK(results[i].report.path == run.task(i).file.name);
  }
  CHECK(what(results[4]) == "fine too");
}

TEST_CASE("a process speaks of its own file and of the rules that it was given") {
  Run run;
  run.add([](Diagnostics&) {
    FileResult forged;
    forged.report.path = "another.onnx";
    forged.report.findings.resize(2);
    forged.report.findings[0].rule = "unsafe-op";
    forged.report.findings[1].rule = rule.name;
    process::end_worker(process::WorkerStatus::done, to_bytes(std::move(forged)));
  });
  const FileResult result = run.results(10min).at(0);
  CHECK(result.report.path == run.task(0).file.name);
  REQUIRE(result.report.findings.size() == 1);
  CHECK(result.report.findings[0].rule == rule.name);
}

TEST_CASE("a file that takes too long is an error, and the others are linted") {
  Run run;
  run.add_finding("before");
  run.add(sleep_for_ever);
  run.add_finding("after");
  const auto results = run.results(3s, 1);
  REQUIRE(results.size() == 3);
  CHECK(what(results[0]) == "before");
  CHECK(what(results[1]) == "timed-out");
  CHECK(std::string(results[1].report.error->what()) == "linting the model took longer than 3 s");
  CHECK_FALSE(results[1].fault);
  CHECK(what(results[2]) == "after");
}

TEST_CASE("a file that crashes its reader is an error, and the others are linted") {
  Run run;
  run.add(crash);
  run.add_finding("after");
  const auto results = run.results(10min);
  REQUIRE(results.size() == 2);
  CHECK(what(results[0]) == "crashed");
  CHECK_FALSE(results[0].fault);
  CHECK(what(results[1]) == "after");
}

TEST_CASE("a run that is stopped ends what runs and hands over what is finished") {
  Run run;
  run.add_finding("finished");
  run.add(sleep_for_ever);
  std::stop_source source;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(500ms);
    source.request_stop();
  });
  const auto results = run.results(24h, 1, source.get_token());
  CHECK(results.size() <= 1);
}
