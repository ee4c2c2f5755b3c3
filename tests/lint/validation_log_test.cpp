#include "lint/validation_log.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using Lines = std::vector<std::string>;

namespace {

Lines lines_of(const ModelReport& report) {
  Lines lines;
  for (const LogEntry& entry : validation_log(report)) lines.push_back(entry.text);
  return lines;
}

CheckResult check(const std::string& name, CheckStatus status, Lines summaries = {}) {
  return {name, status, 0, std::move(summaries)};
}

} // namespace

TEST_CASE("a clean model ends with the sentence that says so") {
  ModelReport report;
  report.checks = {check("reused-modules", CheckStatus::passed)};
  CHECK(lines_of(report) == Lines{"Running validator check validate_for_reused_modules",
                                  "All validation checks passed."});
}

TEST_CASE("a failed check says what it found, and is named at the end") {
  ModelReport report;
  report.checks = {check("a", CheckStatus::failed, {"what is wrong"}),
                   check("b", CheckStatus::passed, {"not said"}), check("c", CheckStatus::crashed)};
  CHECK(lines_of(report) == Lines{"Running validator check validate_for_a", "what is wrong",
                                  "Running validator check validate_for_b",
                                  "Running validator check validate_for_c",
                                  "The following validator checks failed:", "    validate_for_a",
                                  "    validate_for_c"});
}

TEST_CASE("nothing is logged of a file that could not be read") {
  ModelReport report;
  report.error = Error(ErrorKind::not_found, "a.pt", "no such file");
  CHECK(lines_of(report).empty());
}

TEST_CASE("a check that was not judged is not said to have passed") {
  ModelReport report;
  report.checks = {check("a", CheckStatus::not_judged)};
  report.checks[0].lacking = "the file does not say";
  CHECK(lines_of(report) == Lines{"Running validator check validate_for_a",
                                  "It was not judged: the file does not say",
                                  "No validation check failed."});
}

TEST_CASE("what was found in installed code alone is said, and fails nothing") {
  ModelReport report;
  report.checks = {check("a", CheckStatus::passed, {"what is wrong"})};
  Diagnostic finding;
  finding.rule = "a";
  finding.excused = true;
  report.findings = {finding};
  CHECK(lines_of(report) == Lines{"Running validator check validate_for_a", "what is wrong",
                                  "No validation check failed."});
}
