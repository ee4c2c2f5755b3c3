#include "sample.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::report_with;
using test::reused;

namespace {

RunSummary summary_of(const std::vector<ModelReport>& reports) {
  RunSummary summary;
  for (const ModelReport& report : reports) summary.add(report);
  return summary;
}

Diagnostic with(Severity severity) {
  Diagnostic finding = reused("relu");
  finding.severity = severity;
  finding.fix.reset();
  return finding;
}

} // namespace

TEST_CASE("the summary is one sentence") {
  CHECK(sentence(summary_of({report_with({})})) == "Found no problems in 1 model; 0 suppressed.");
  CHECK(sentence(summary_of({report_with({reused("a"), reused("b")})})) ==
        "Found 2 warnings in 1 model (2 fixable); 0 suppressed.");
  CHECK(sentence(summary_of(
            {report_with({with(Severity::error), with(Severity::warning), with(Severity::info)}),
             report_with({}), test::unreadable()})) ==
        "Found 1 error, 1 warning and 1 info in 2 models; 0 suppressed; 1 file could not be "
        "read.");
}

TEST_CASE("who compiles for nothing that is named is told what was not judged") {
  RunSummary summary = summary_of({report_with({}), report_with({})});
  summary.preset = "deploy";
  summary.without_target = 2;
  CHECK(sentence(summary) == "Found no problems in 2 models; 0 suppressed; preset deploy. What a "
                             "compiler refuses was not judged: `--target` names one.");
  summary.without_target = 1;
  CHECK_THAT(sentence(summary), Catch::Contains("was not judged of 1 model: `--target`"));
}

TEST_CASE("an interrupted run says what it left out") {
  RunSummary summary;
  summary.skipped = 3;
  CHECK(sentence(summary) == "Checked no model; interrupted with 3 files to go.");
}

TEST_CASE("statistics begin with the most frequent rule") {
  Diagnostic other = reused("a");
  other.code = "GRA000";
  other.rule = "other";
  other.fix.reset();
  CHECK(statistics(summary_of({report_with({other, reused("a"), reused("b")})})) ==
        "     2  GRA001  reused-modules  (fixable)\n     1  GRA000  other\n");
}

TEST_CASE("what was not judged is one line, and no problem") {
  ModelReport report = report_with({});
  report.checks[0].status = CheckStatus::not_judged;
  report.checks[0].lacking = "the file does not say";
  const RunSummary one = summary_of({report});
  CHECK(not_judged(one) == "Not judged: `reused-modules` (the file does not say).");
  CHECK(not_judged(summary_of({report, report_with({})})) ==
        "Not judged: `reused-modules` in 1 of 2 models (the file does not say).");
  CHECK(not_judged(summary_of({report_with({})})).empty());
  CHECK(sentence(one) == "Found no problems in 1 model; 0 suppressed.");
}

TEST_CASE("a file that holds no model is counted by itself") {
  ModelReport inputs = test::unreadable();
  inputs.status = ModelStatus::no_model;
  CHECK(sentence(summary_of({report_with({}), inputs})) ==
        "Found no problems in 1 model; 0 suppressed; 1 file in folders holds no model.");
}
