#include "checks.h"
#include "lint/excused.h"
#include "lint/finish_report.h"
#include "lint/run_results.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::ScriptedCheck;

namespace {

const ScriptedCheck about_code({.name = "code", .code = "AAA001", .summary = ""}, nullptr);
const ScriptedCheck
    about_file({.name = "file", .code = "AAA002", .summary = "", .about_code = false}, nullptr);

Settings settings() {
  Settings settings;
  settings.enabled = {&about_code, &about_file};
  return settings;
}

Diagnostic finding(const std::string& rule, const std::string& file) {
  Diagnostic finding;
  finding.rule = rule;
  finding.locations.push_back({{file, 3, 0, 0}, "", "call", ""});
  return finding;
}

constexpr const char* installed = "/venv/lib/python3.11/site-packages/zoo/net.py";

FileResult result_of(std::vector<Diagnostic> findings, const Settings& settings) {
  FileResult result;
  result.settings = std::make_shared<const Settings>(settings);
  result.report.checks = {{"code", CheckStatus::passed, 0, {}}};
  result.report.findings = std::move(findings);
  return result;
}

Outcome outcome_of(FileResult result) {
  RunResults results({}, false);
  results.add(result);
  return results.outcome();
}

FileResult unread(ErrorKind kind, bool found) {
  FileResult result = result_of({}, settings());
  result.report.error = Error(kind, "a.pt", "what it is");
  result.report.status = ModelStatus::error;
  result.found = found;
  return result;
}

} // namespace

TEST_CASE("a finding about installed code does not count, and is still there") {
  FileResult result = result_of({finding("code", installed)}, settings());
  RunResults results({}, false);
  results.add(result);
  CHECK(results.outcome() == Outcome::clean);
  CHECK(result.report.status == ModelStatus::passed);
  REQUIRE(result.report.findings.size() == 1);
  CHECK(result.report.findings[0].excused);
  CHECK(result.report.checks[0].findings == 1);
}

TEST_CASE("a finding about installed code counts where the settings say so") {
  Settings all = settings();
  all.fail_on_installed = true;
  CHECK(outcome_of(result_of({finding("code", installed)}, all)) == Outcome::findings);
}

TEST_CASE("a finding about the user's own code counts, and so does one about the file") {
  CHECK(outcome_of(result_of({finding("code", "/home/me/net.py")}, settings())) ==
        Outcome::findings);
  CHECK(outcome_of(result_of({finding("file", installed)}, settings())) == Outcome::findings);
}

TEST_CASE("a file that was found and holds no model is passed over") {
  RunResults results({}, false);
  FileResult checkpoint = unread(ErrorKind::state_dict, true);
  FileResult model = result_of({}, settings());
  results.add(checkpoint);
  results.add(model);
  CHECK(checkpoint.report.status == ModelStatus::no_model);
  CHECK(results.outcome() == Outcome::clean);
}

TEST_CASE("a file that was named, or is meant to be a model, is not passed over") {
  CHECK(outcome_of(unread(ErrorKind::state_dict, false)) == Outcome::unreadable);
  for (const ErrorKind kind : {ErrorKind::git_lfs_pointer, ErrorKind::truncated_file,
                               ErrorKind::pickled_module, ErrorKind::unknown_format})
    CHECK(outcome_of(unread(kind, true)) == Outcome::unreadable);
}

TEST_CASE("a run that found no model at all has not passed") {
  CHECK(outcome_of(unread(ErrorKind::state_dict, true)) == Outcome::unreadable);
}
