#include "support/temporary_folder.h"
#include "verify/backends/python_sources.h"
#include "verify/backends/python_worker.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>

using namespace model_validator::verify;

namespace {

/// Answers with the number of its process, and ends that when it is told to.
constexpr const char* program = R"(
import json, os, sys
for line in sys.stdin:
    if json.loads(line).get("abort"):
        os.abort()
    print(json.dumps({"process": os.getpid()}), flush=True)
)";

std::shared_ptr<PythonWorker> worker() { return free_python_worker("Words", "package", program); }

int process_of(PythonWorker& worker) {
  return worker.ask(model_validator::Json::object()).at("process");
}

} // namespace

TEST_CASE("a Python process takes one model after the other, and one at a time") {
  auto first = worker();
  const int process = process_of(*first);
  const auto other = worker();
  CHECK(process_of(*other) != process);
  first.reset();
  CHECK(process_of(*worker()) == process);
  CHECK(process_of(*free_python_worker("Words", "another", program)) != process);
}

TEST_CASE("a runtime that ends its process is told from one that fails, and takes no more models") {
  int process = 0;
  {
    const auto ended = worker();
    process = process_of(*ended);
    CHECK_THROWS_AS(ended->ask({{"abort", true}}), RuntimeEnded);
  }
  CHECK(process_of(*worker()) != process);
}

TEST_CASE("one that has ended does so again, and waits for nobody") {
  const auto ended = worker();
  CHECK_THROWS_AS(ended->ask({{"abort", true}}), RuntimeEnded);
  CHECK_THROWS_AS(ended->ask({{"abort", true}}), RuntimeEnded);
  CHECK(process_of(*worker()) > 0);
}

TEST_CASE("a module in the current folder is not loaded") {
  const model_validator::test::TemporaryFolder folder;
  folder.write("numpy.py", "raise RuntimeError('of the current folder')");
  folder.write("json.py", "raise RuntimeError('of the current folder')");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  PythonWorker started("LiteRT", "ai-edge-litert", litert_program());
  std::string said;
  try {
    started.ask({{"file", "none.tflite"}, {"shows", false}});
  } catch (const model_validator::Error& error) {
    said = error.what();
  }
  std::filesystem::current_path(before);
  CHECK_FALSE(said.empty());
  CHECK(said.find("of the current folder") == std::string::npos);
}

TEST_CASE("a Python that cannot be started is missing") {
  const char* own = std::getenv("MODEL_VALIDATOR_PYTHON");
  const std::string before = own == nullptr ? "" : own;
  ::setenv("MODEL_VALIDATOR_PYTHON", "/nowhere/python", 1);
  PythonWorker started("Words", "package", program);
  std::optional<model_validator::ErrorKind> kind;
  try {
    started.ask(model_validator::Json::object());
  } catch (const model_validator::Error& error) {
    kind = error.kind();
  }
  before.empty() ? ::unsetenv("MODEL_VALIDATOR_PYTHON")
                 : ::setenv("MODEL_VALIDATOR_PYTHON", before.c_str(), 1);
  CHECK(kind == model_validator::ErrorKind::backend_missing);
}
