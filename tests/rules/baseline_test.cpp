#include "rules/baseline.h"
#include "support/temporary_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <chrono>
#include <sstream>

using namespace model_validator;
using test::TemporaryFolder;

namespace {

Diagnostic finding(const std::string& fingerprint) {
  Diagnostic diagnostic;
  diagnostic.rule = "reused-modules";
  diagnostic.module = "relu";
  diagnostic.fingerprint = fingerprint;
  return diagnostic;
}

std::size_t open_ones(const std::vector<Diagnostic>& findings) {
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(),
                                                [](const Diagnostic& d) { return !d.suppressed; }));
}

Baseline with(const std::vector<Diagnostic>& findings) {
  Baseline baseline;
  baseline.record("a.pt", findings);
  return baseline;
}

std::string text_of(const Baseline& baseline) {
  std::ostringstream out;
  baseline.write(out);
  return out.str();
}

} // namespace

TEST_CASE("what the baseline holds does not count, and one more does") {
  const Baseline baseline = with({finding("f1"), finding("f1"), finding("f2")});
  std::vector<Diagnostic> again{finding("f1"), finding("f2"), finding("f1")};
  baseline.apply("a.pt", again);
  CHECK(open_ones(again) == 0);
  std::vector<Diagnostic> more{finding("f1"), finding("f1"), finding("f1"), finding("f3")};
  baseline.apply("a.pt", more);
  CHECK(open_ones(more) == 2);
  CHECK(more[0].suppressed->by == "baseline");
}

TEST_CASE("a baseline applies only to its model") {
  std::vector<Diagnostic> other{finding("f1")};
  with({finding("f1")}).apply("b.pt", other);
  CHECK(open_ones(other) == 1);
}

TEST_CASE("a baseline is read back as it was written") {
  const TemporaryFolder folder;
  const Baseline baseline = with({finding("f1"), finding("f2")});
  const auto file = folder.write("baseline.json", text_of(baseline));
  CHECK(text_of(Baseline::load(file)) == text_of(baseline));
  CHECK(Baseline::load(file).size() == 2);
}

TEST_CASE("suppressed findings and faults of the tool stay out of the baseline") {
  Diagnostic hidden = finding("f1");
  hidden.suppressed = Suppression{"config", "agreed"};
  Diagnostic fault = finding("f2");
  fault.rule = "internal-error";
  CHECK(with({hidden, fault}).size() == 0);
}

TEST_CASE("recording again forgets what is fixed") {
  Baseline baseline = with({finding("f1"), finding("f2")});
  baseline.record("a.pt", {finding("f2")});
  CHECK(baseline.size() == 1);
}

TEST_CASE("a file that is not a baseline is an error") {
  const TemporaryFolder folder;
  for (const char* text : {"", "{", "[]", "{\"schema\": \"other/1\", \"models\": {}}",
                           R"({"schema": "model_validator-baseline/1", "models": {"a": [{}]}})",
                           R"({"schema": "model_validator-baseline/1", "models": [[3]]})"})
    CHECK_THROWS_AS(Baseline::load(folder.write("baseline.json", text)), Error);
  CHECK_THROWS_AS(Baseline::load(folder.path() / "missing.json"), Error);
}

TEST_CASE("a baseline of very many models is read in little time") {
  const TemporaryFolder folder;
  std::string text = R"({"schema": "model_validator-baseline/1", "models": {"a": [])";
  for (int i = 0; i < 400'000; ++i) text += ",\"m" + std::to_string(i) + "\":[]";
  const auto file = folder.write("baseline.json", text + "}}");
  const auto begin = std::chrono::steady_clock::now();
  Baseline::load(file);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20)); // 2 minutes before
}

TEST_CASE("models are called by their path from the baseline's folder") {
  CHECK(baseline_name("/home/models/a.pt", "/home/baseline.json") == "models/a.pt");
  CHECK(baseline_name("/home/a.pt", "/home/ci/baseline.json") == "../a.pt");
  CHECK(baseline_name("-", "/home/baseline.json") == "-");
}

TEST_CASE("a model that is a link is called as the user calls it, wherever its bytes are kept") {
  const TemporaryFolder folder;
  namespace fs = std::filesystem;
  fs::create_directories(folder.path() / "cache");
  fs::create_directories(folder.path() / "repository/models");
  folder.write("cache/1234", "");
  fs::create_symlink("../../cache/1234", folder.path() / "repository/models/net.pt");
  fs::create_directory_symlink("../cache", folder.path() / "repository/data");
  fs::create_directory_symlink("repository", folder.path() / "elsewhere");
  const fs::path baseline = folder.path() / "repository/baseline.json";
  CHECK(baseline_name(folder.path() / "repository/models/net.pt", baseline) == "models/net.pt");
  CHECK(baseline_name(folder.path() / "repository/data/1234", baseline) == "data/1234");
  CHECK(baseline_name(folder.path() / "elsewhere/models/net.pt", baseline) == "models/net.pt");
}
