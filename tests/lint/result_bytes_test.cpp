#include "lint/result_bytes.h"

#include <catch2/catch.hpp>

#include <stdexcept>

using namespace model_validator;

namespace {

/// No member has its default value here and below: one that is forgotten on the way would then
/// differ.
Rewrite full_rewrite() {
  Rewrite rewrite;
  rewrite.kind = Rewrite::Kind::separate_owners;
  rewrite.operation = "sub";
  rewrite.schema = "aten::sub.Tensor";
  rewrite.attribute = "sub";
  rewrite.class_name = "Sub";
  rewrite.expression = "nn.ReLU()";
  rewrite.calls = {{{"net.py", 1, 2, 3}, "x - y", "Net", "relu", 1, 2, 3, "it is in a loop"}};
  rewrite.scripted = true;
  rewrite.operand_made = {{"net.py", 4, 5, 6}};
  rewrite.operand_read_later = true;
  return rewrite;
}

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
  d.fix = Fix{Applicability::safe, "add it", {{"net.py", {3, 0}, {3, 4}, "text"}},
              full_rewrite(),      "no",     "it shows"};
  d.fingerprint = "0123456789abcdef";
  d.suppressed = Suppression{"config", "known"};
  d.excused = true;
  return d;
}

TargetVerdict full_verdict() {
  TargetVerdict verdict;
  verdict.target = "openvino";
  verdict.verdict = Verdict::refused;
  verdict.table = "openvino-onnx";
  verdict.opset = 13;
  verdict.package = "openvino 2026.4.1";
  verdict.date = "2026-11-01";
  verdict.release = "2026.4.1";
  verdict.recorded = true;
  verdict.refusals = {"an opset that it does not know"};
  verdict.operators = {{"aten::erf", Verdict::refused, 1, {"float64"}, "no", {"erf_0"}}};
  return verdict;
}

FileResult full_result() {
  FileResult result;
  result.report.path = "net.pt";
  result.report.format = FileFormat::torchscript;
  result.report.status = ModelStatus::failed;
  result.report.ops = 60;
  result.report.checks = {
      {"reused-modules", CheckStatus::failed, 1, {"a sentence"}, "it holds no paths"}};
  result.report.findings = {full_diagnostic(), Diagnostic{}};
  result.report.documents = {"a graph", "an inspection", "the sources"};
  result.report.verdicts = {full_verdict()};
  result.ignores = {{{"GRA001"}, "why", {"net.py", 10, 4, 0}, "no rule", "name one"}};
  result.fault = true;
  result.trace_ended = "it needs a file";
  return result;
}

} // namespace

TEST_CASE("a result is the same after a round trip through bytes") {
  const FileResult read = result_from(to_bytes(full_result()));
  const FileResult before = full_result();
  CHECK(read.report.path == before.report.path);
  CHECK(read.report.format == before.report.format);
  CHECK(read.report.status == before.report.status);
  CHECK(read.report.ops == before.report.ops);
  CHECK(read.report.checks == before.report.checks);
  CHECK(read.report.verdicts == before.report.verdicts);
  CHECK(read.report.findings == before.report.findings);
  CHECK(read.report.documents == before.report.documents);
  CHECK(read.ignores.at(0).rules == before.ignores[0].rules);
  CHECK(read.ignores.at(0).reason == before.ignores[0].reason);
  CHECK(read.ignores.at(0).where == before.ignores[0].where);
  CHECK(read.ignores.at(0).mistake == before.ignores[0].mistake);
  CHECK(read.ignores.at(0).remedy == before.ignores[0].remedy);
  CHECK(read.fault);
  CHECK(read.trace_ended == before.trace_ended);
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
