#include "report/repository.h"
#include "sample.h"

#include <boost/property_tree/xml_parser.hpp>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>

using namespace model_validator;
using Catch::Contains;
using nlohmann::json;
using test::report_with;
using test::reused;
using test::written;

namespace {

json sarif_run(const std::vector<ModelReport>& reports) {
  return json::parse(written("sarif", reports))["runs"][0];
}

} // namespace

TEST_CASE("a SARIF result has rule, place, module and fingerprint") {
  const json run = sarif_run({report_with({reused("layer1.0.relu")})});
  const json& result = run["results"][0];
  CHECK(run["tool"]["driver"]["rules"][0]["id"] == "GRA001");
  CHECK(result["ruleId"] == "GRA001");
  CHECK(result["ruleIndex"] == 0);
  CHECK(result["level"] == "warning");
  const json& location = result["locations"][0];
  CHECK(location["physicalLocation"]["artifactLocation"]["uri"] == "resnet.py");
  CHECK(location["physicalLocation"]["region"]["startColumn"] == 15);
  CHECK(location["logicalLocations"][0]["fullyQualifiedName"] == "layer1.0.relu");
  CHECK(result["partialFingerprints"]["modelValidator/v1"] == "0123456789abcdef");
}

TEST_CASE("a SARIF result without a line of Python points at the model") {
  Diagnostic finding = reused("relu");
  finding.locations.clear();
  const json result = sarif_run({report_with({finding})})["results"][0];
  const json& place = result["locations"][0]["physicalLocation"];
  CHECK(place["artifactLocation"]["uri"] == "resnet18.pt");
  CHECK(place["region"]["startLine"] == 1);
}

TEST_CASE("SARIF keeps suppressed findings, and reports files that could not be read") {
  Diagnostic hidden = reused("relu");
  hidden.suppressed = Suppression{"inline", "agreed"};
  const json run = sarif_run({report_with({hidden}), test::unreadable()});
  CHECK(run["results"][0]["suppressions"][0] ==
        json{{"kind", "inSource"}, {"justification", "agreed"}});
  CHECK(run["invocations"][0]["executionSuccessful"] == false);
  CHECK(run["invocations"][0]["toolExecutionNotifications"].size() == 1);
}

TEST_CASE("GitHub's annotations begin with the most severe and end with the summary") {
  Diagnostic grave = reused("b");
  grave.severity = Severity::error;
  grave.locations[0].source.line = 200;
  const std::string text = written("github", {report_with({reused("a"), grave})});
  CHECK_THAT(text, Catch::StartsWith("::error file=resnet.py,line=200,col=15,title=GRA001 "
                                     "reused-modules::module `b` (ReLU) is called 2 times%0A"));
  CHECK_THAT(text, Contains("\n::warning file=resnet.py,line=101"));
  CHECK_THAT(text, Catch::EndsWith("::notice title=model_validator::Found 1 error and 1 warning in "
                                   "1 model (2 fixable); 0 suppressed.\n"));
}

TEST_CASE("what would end a workflow command early is escaped") {
  Diagnostic finding = reused("a");
  finding.message = "100%\n::error::x";
  finding.locations[0].source.file = "a,b:c.py";
  const std::string text = written("github", {report_with({finding})});
  CHECK_THAT(text, Contains("file=a%2Cb%3Ac.py,line"));
  CHECK_THAT(text, Contains("::100%25\\x0a::error::x"));
}

TEST_CASE("JUnit has a suite per model and a test per check") {
  Diagnostic finding = reused("a<b>&\"");
  std::istringstream text(written("junit", {report_with({finding}), test::unreadable()}));
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(text, tree);
  const auto& suites = tree.get_child("testsuites");
  const auto& suite = suites.get_child("testsuite");
  CHECK(suite.get<std::string>("<xmlattr>.name") == "resnet18.pt");
  CHECK(suite.get<int>("<xmlattr>.failures") == 1);
  CHECK_THAT(suite.get<std::string>("testcase.failure"), Contains("a<b>&\""));
  CHECK(suites.back().second.get<int>("<xmlattr>.errors") == 1);
}

TEST_CASE("lines of JSON are each a document") {
  std::istringstream text(written("jsonl", {report_with({reused("a")}), test::unreadable()}));
  std::vector<std::string> types;
  for (std::string line; std::getline(text, line);)
    types.push_back(json::parse(line)["type"].get<std::string>());
  CHECK(types == std::vector<std::string>{"finding", "model", "model", "summary"});
}

TEST_CASE("paths become URIs, relative where they can be") {
  CHECK(uri_of("models/a b.pt") == "models/a%20b.pt");
  CHECK(uri_of("./a.pt") == "a.pt");
  CHECK(uri_of("/nowhere/ä.py") == "file:///nowhere/%C3%A4.py");
  CHECK(uri_of((std::filesystem::current_path() / "sub/a.py").string()) == "sub/a.py");
}

TEST_CASE("no format passes a check that was not judged, or calls a checkpoint unreadable") {
  ModelReport report = report_with({});
  report.checks[0].status = CheckStatus::not_judged;
  report.checks[0].lacking = "the file does not say";
  ModelReport checkpoint = test::unreadable();
  checkpoint.status = ModelStatus::no_model;
  for (const char* format : {"full", "concise", "json", "jsonl", "sarif", "junit", "github"}) {
    INFO(format);
    CHECK_THAT(written(format, {report}), Contains("the file does not say"));
  }
  CHECK_THAT(written("json", {report}), Contains("\"not-judged\""));
  CHECK_THAT(written("junit", {report, checkpoint}), Contains("errors=\"0\" skipped=\"1\""));
  CHECK_THAT(written("full", {report, checkpoint}), Contains("Passed over: `weights.pt`"));
  CHECK_THAT(written("sarif", {report, checkpoint}), !Contains("\"level\": \"error\""));
  CHECK_THAT(written("github", {report, checkpoint}), !Contains("::error"));
}

TEST_CASE("what falls back is counted, and not refused") {
  ModelReport report = report_with({});
  TargetVerdict verdict;
  verdict.target = "board";
  verdict.verdict = Verdict::partly;
  verdict.falls_back = true;
  verdict.operators = {{"aten::add", Verdict::taken, 4, {}, ""},
                       {"aten::fft", Verdict::refused, 1, {}, ""}};
  report.verdicts = {verdict};
  CHECK_THAT(written("full", {report}), Contains("board: takes 4 of 5 ops; 1 falls back"));
}
