#include "lint/result_bytes.h"

#include <catch2/catch.hpp>

#include <stdexcept>

using namespace model_validator;

namespace {

Diagnostic full_diagnostic() {
  Diagnostic d;
  d.rule = "reused-modules";
  d.code = "GRA001";
  d.severity = Severity::error;
  d.message = "bytes \xff and \0 as they are";
  d.module = "layer1";
  d.aliases = {"a", "b"};
  d.parent = "layer";
  d.op = OpReference{"relu_0", "relu"};
  d.method = "forward";
  d.locations = {{{"net.py", 10, 4, 7}, "layer1", "call", "x = self.relu(x)"}};
  d.help = "do this";
  d.notes = {"a note", ""};
  d.fix = Fix{Applicability::safe, "add it", {{"net.py", {3, 0}, {3, 4}, "text"}}};
  d.fingerprint = "0123456789abcdef";
  d.suppressed = Suppression{"config", "known"};
  return d;
}

FileResult full_result() {
  FileResult result;
  result.report.path = "net.pt";
  result.report.format = FileFormat::torchscript;
  result.report.status = ModelStatus::failed;
  result.report.ops = 60;
  result.report.checks = {{"reused-modules", CheckStatus::failed, 1, {"a sentence"}}};
  result.report.findings = {full_diagnostic(), Diagnostic{}};
  result.report.documents = {"a graph", "an inspection", ""};
  result.report.verdicts.resize(1);
  result.report.verdicts[0].operators = {{"aten::erf", Verdict::refused, 1, {}, "no", {"erf_0"}}};
  result.ignores = {{{"GRA001"}, "why", {"net.py", 10, 4, 0}}};
  result.fault = true;
  return result;
}

} // namespace

TEST_CASE("a result is the same after a round trip through bytes") {
  const std::string bytes = to_bytes(full_result());
  const FileResult read = result_from(bytes);
  CHECK(to_bytes(read) == bytes);
  CHECK(read.report.documents.graph == "a graph");
  CHECK(read.report.verdicts == full_result().report.verdicts);
  REQUIRE(read.report.findings.size() == 2);
  const Diagnostic& d = read.report.findings[0];
  const Diagnostic before = full_diagnostic();
  CHECK(d.message == before.message);
  CHECK(d.severity == Severity::error);
  CHECK(d.op->name == "relu_0");
  CHECK(d.locations.at(0).source == before.locations[0].source);
  CHECK(d.locations.at(0).code == "x = self.relu(x)");
  CHECK(d.notes == before.notes);
  CHECK(d.fix->edits.at(0).text == "text");
  CHECK(d.suppressed->reason == "known");
  CHECK_FALSE(read.report.findings[1].fix);
  CHECK(read.report.checks.at(0).summaries == std::vector<std::string>{"a sentence"});
  CHECK(read.ignores.at(0).where.line == 10);
  CHECK(read.report.ops == 60);
  CHECK(read.fault);
}

TEST_CASE("a value that its type does not have is no result") {
  FileResult result = full_result();
  result.report.findings[0].severity = static_cast<Severity>(200);
  CHECK_THROWS_AS(result_from(to_bytes(result)), std::runtime_error);
  result = full_result();
  result.report.status = static_cast<ModelStatus>(-1);
  CHECK_THROWS_AS(result_from(to_bytes(result)), std::runtime_error);
}

TEST_CASE("the fixes of findings cross alone") {
  std::vector<Diagnostic> findings = {full_diagnostic(), Diagnostic{}};
  findings[0].fix->edits.clear();
  const std::string bytes = fixes_to_bytes({full_diagnostic(), Diagnostic{}});
  take_fixes(bytes, findings);
  CHECK(findings[0].fix->edits.at(0).text == "text");
  CHECK_FALSE(findings[1].fix);
  CHECK_THROWS_AS(take_fixes(bytes.substr(1), findings), std::runtime_error);
  CHECK(findings[0].fix->edits.size() == 1);
}

TEST_CASE("an error keeps all it says") {
  FileResult result;
  result.report.status = ModelStatus::error;
  result.report.error.emplace(ErrorKind::empty_file, "net.pt", "the file is empty",
                              "export it again");
  const FileResult read = result_from(to_bytes(result));
  REQUIRE(read.report.error);
  CHECK(read.report.error->kind() == ErrorKind::empty_file);
  CHECK(read.report.error->path() == "net.pt");
  CHECK(std::string(read.report.error->what()) == "the file is empty");
  CHECK(read.report.error->hint() == "export it again");
}

TEST_CASE("bytes that are cut off anywhere are refused") {
  const std::string bytes = to_bytes(full_result());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_THROWS_AS(result_from(std::string_view(bytes).substr(0, size)), std::runtime_error);
}
