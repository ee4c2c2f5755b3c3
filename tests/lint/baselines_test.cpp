#include "checks.h"
#include "lint/baselines.h"
#include "support/temporary_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <fstream>

using namespace model_validator;
using test::TemporaryFolder;

namespace {

ModelReport report_of(const std::filesystem::path& model) {
  Diagnostic finding;
  finding.rule = "reused-modules";
  finding.fingerprint = "0123456789abcdef";
  ModelReport report;
  report.path = model.string();
  report.findings = {finding};
  return report;
}

} // namespace

TEST_CASE("what was written once is known the next time") {
  const TemporaryFolder folder;
  Settings settings;
  settings.baseline = folder.path() / "baseline.json";
  Baselines writing(true);
  writing.expect(settings);
  ModelReport first = report_of(folder.path() / "m.pt");
  writing.apply(settings, first);
  CHECK(first.status == ModelStatus::passed);
  {
    std::ofstream out(settings.baseline);
    writing.all().at(settings.baseline).write(out);
  }
  Baselines reading(false);
  reading.expect(settings);
  ModelReport again = report_of(folder.path() / "m.pt");
  reading.apply(settings, again);
  CHECK(again.findings[0].suppressed);
  ModelReport other = report_of(folder.path() / "n.pt");
  reading.apply(settings, other);
  CHECK_FALSE(other.findings[0].suppressed);
}

namespace {

/// A baseline of one model, `m.pt`, with one finding.
Settings with_baseline(const TemporaryFolder& folder) {
  Settings settings;
  settings.baseline = folder.path() / "baseline.json";
  std::ofstream(settings.baseline)
      << R"({"schema": "model_validator-baseline/1", "models": {"m.pt": [{"fingerprint":
          "0123456789abcdef", "count": 1, "rule": "reused-modules", "module": "relu"}]}})";
  return settings;
}

} // namespace

TEST_CASE("a renamed model keeps its baseline, a copy of one that is there does not") {
  const TemporaryFolder folder;
  const Settings settings = with_baseline(folder);
  for (const bool still_there : {false, true}) {
    if (still_there) std::ofstream(folder.path() / "m.pt") << "x";
    Baselines baselines(false);
    baselines.expect(settings);
    ModelReport renamed = report_of(folder.path() / "renamed.pt");
    baselines.apply(settings, renamed);
    CHECK(renamed.findings[0].suppressed.has_value() == !still_there);
    CHECK(baselines.gone() == 0);
  }
}

TEST_CASE("what a baseline holds and nothing has any more is counted, if its rule runs") {
  const TemporaryFolder folder;
  Settings settings = with_baseline(folder);
  const test::ScriptedCheck check(test::rule_named("reused-modules", "GRA001"), nullptr);
  for (const bool runs : {true, false}) {
    settings.enabled.clear();
    if (runs) settings.enabled.push_back(&check);
    Baselines baselines(false);
    baselines.expect(settings);
    ModelReport mended = report_of(folder.path() / "m.pt");
    mended.findings.clear();
    baselines.apply(settings, mended);
    CHECK(baselines.gone() == (runs ? 1 : 0));
  }
  Baselines unvisited(false);
  unvisited.expect(settings);
  CHECK(unvisited.gone() == 1); // its file is gone
}

TEST_CASE("without a name there is nowhere to write to") {
  CHECK_THROWS_AS(Baselines(true).expect(Settings{}), Error);
  CHECK_NOTHROW(Baselines(false).expect(Settings{}));
}

TEST_CASE("a baseline that is read must exist") {
  Settings settings;
  settings.baseline = "nowhere/baseline.json";
  CHECK_THROWS_AS(Baselines(false).expect(settings), Error);
}
