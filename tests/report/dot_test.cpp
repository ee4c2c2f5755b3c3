#include "report/graph_writer.h"
#include "support/sample_graph.h"

#include <catch2/catch.hpp>

#include <sstream>

using namespace model_validator;
using Catch::Contains;

namespace {

struct Picture {
  test::SampleGraph sample;
  std::vector<Diagnostic> findings;

  void find(const std::string& op, Severity severity) {
    Diagnostic finding;
    finding.severity = severity;
    finding.op.emplace();
    finding.op->name = op;
    findings.push_back(finding);
  }
  std::string text() {
    std::ostringstream out;
    write_dot(out, sample.graph, findings);
    return out.str();
  }
};

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

} // namespace

TEST_CASE("an op is a node, and the products between two ops are one edge") {
  Picture picture;
  const OpId from = picture.sample.op("chunk_0", OpKind::functional);
  const OpId to = picture.sample.op("add_0", OpKind::functional);
  picture.sample.edge(from, to, 0).edge(from, to, 1);
  const std::string dot = picture.text();
  CHECK(times(dot, "[label=\"chunk_0\", shape=box") == 1);
  CHECK(times(dot, "->") == 1);
  CHECK_THAT(dot, Contains("0 -> 1 [label=\"2\"]"));
}

TEST_CASE("a call of a module names it, and an op in a branch names that") {
  Picture picture;
  const ModuleId relu = picture.sample.module("act", "torch.nn.modules.activation.ReLU");
  const RegionId arm = picture.sample.region(Region::Kind::then_arm, 3, none);
  picture.sample.call(relu, none, 1, arm);
  CHECK_THAT(picture.text(),
             Contains(R"(label="relu_0\nact\ntorch.nn.modules.activation.ReLU\nif@3.then")"));
}

TEST_CASE("names that hold quotes, backslashes or control characters stay one label") {
  Picture picture;
  picture.sample.op("a\"b\\c\x1b", OpKind::functional);
  picture.sample.op("a&#x202e;b", OpKind::functional);
  CHECK_THAT(picture.text(), Contains(R"(label="a\"b\\c\\x1b")"));
  CHECK_THAT(picture.text(), Contains(R"(label="a&amp;#x202e;b")"));
}

TEST_CASE("an op with findings is filled by the most severe that is not suppressed") {
  Picture picture;
  for (const char* name : {"sound_0", "warned_0", "wrong_0", "told_0", "hidden_0"})
    picture.sample.op(name, OpKind::functional);
  picture.find("warned_0", Severity::warning);
  picture.find("wrong_0", Severity::warning);
  picture.find("wrong_0", Severity::error);
  picture.find("told_0", Severity::info);
  picture.find("hidden_0", Severity::error);
  picture.findings.back().suppressed.emplace();
  const std::string dot = picture.text();
  for (const char* fill : {"#ffd98f", "#f9c9c4", "#ddd6f6"}) CHECK(times(dot, fill) == 1);
  CHECK(times(dot, "#ffffff") == 2);
}
