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

TEST_CASE("without a name there is nowhere to write to") {
  CHECK_THROWS_AS(Baselines(true).expect(Settings{}), Error);
  CHECK_NOTHROW(Baselines(false).expect(Settings{}));
}

TEST_CASE("a baseline that is read must exist") {
  Settings settings;
  settings.baseline = "nowhere/baseline.json";
  CHECK_THROWS_AS(Baselines(false).expect(settings), Error);
}
