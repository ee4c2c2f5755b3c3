#include "verify/backends/python_worker.h"

#include <catch2/catch.hpp>

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
