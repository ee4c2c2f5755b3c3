#include "lint/finish_report.h"

#include <catch2/catch.hpp>

using namespace model_validator;

namespace {

Diagnostic finding(const std::string& module, int line, Severity severity = Severity::warning) {
  Diagnostic diagnostic;
  diagnostic.rule = "rule";
  diagnostic.severity = severity;
  diagnostic.module = module;
  diagnostic.locations.push_back({{"net.py", line, 4, 0}, "", "", ""});
  return diagnostic;
}

ModelReport report_of(std::vector<Diagnostic> findings) {
  ModelReport report;
  report.checks.push_back({"rule", CheckStatus::passed, 0, {}});
  report.findings = std::move(findings);
  finish(report);
  return report;
}

std::vector<std::string> modules_of(const ModelReport& report) {
  std::vector<std::string> modules;
  for (const auto& diagnostic : report.findings) modules.push_back(diagnostic.module);
  return modules;
}

} // namespace

TEST_CASE("findings are sorted by line, then by module with numbers as numbers") {
  const auto report = report_of({finding("b", 9), finding("l.10", 5), finding("l.2", 5)});
  CHECK(modules_of(report) == std::vector<std::string>{"l.2", "l.10", "b"});
}

TEST_CASE("a suppressed finding does not count") {
  Diagnostic hidden = finding("a", 1);
  hidden.suppressed = Suppression{"config", "agreed"};
  const auto report = report_of({hidden});
  CHECK(report.status == ModelStatus::passed);
  CHECK(report.checks[0].findings == 0);
}

TEST_CASE("an info is shown but fails nothing") {
  const auto report = report_of({finding("a", 1, Severity::info)});
  CHECK(report.status == ModelStatus::passed);
  CHECK(report.checks[0].status == CheckStatus::passed);
  CHECK(report.checks[0].findings == 1);
}

TEST_CASE("a file that could not be read has failed in its own way") {
  ModelReport report;
  report.error = Error(ErrorKind::not_found, "a.pt", "no such file");
  finish(report);
  CHECK(report.status == ModelStatus::error);
}

TEST_CASE("a check that lacks what it needs has judged only what it found") {
  ModelReport report = report_of({});
  report.checks[0].lacking = "the file does not say";
  finish(report);
  CHECK(report.checks[0].status == CheckStatus::not_judged);
  CHECK(report.status == ModelStatus::passed);
  report.findings = {finding("a", 1)};
  finish(report);
  CHECK(report.checks[0].status == CheckStatus::failed);
}
