#include "checks.h"

#include <model_validator/graph_builder.h>
#include <model_validator/lint.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using test::rule_named;
using test::ScriptedCheck;

namespace {

ModelReport lint_with(const std::vector<const Validator*>& checks,
                      const ConnectedGraph& graph = {}) {
  return lint(graph, checks, Context{});
}

} // namespace

TEST_CASE("a model without findings passes") {
  const ScriptedCheck silent(rule_named("silent", "XXX001"), nullptr);
  const ModelReport report = lint_with({&silent});
  CHECK(report.status == ModelStatus::passed);
  REQUIRE(report.checks.size() == 1);
  CHECK(report.checks[0].status == CheckStatus::passed);
}

TEST_CASE("findings carry a fingerprint and make check and model fail") {
  const ScriptedCheck loud(rule_named("loud", "XXX002"),
                           [](Diagnostics& d) { d.add(d.start("something is wrong")); });
  const ModelReport report = lint_with({&loud});
  CHECK(report.status == ModelStatus::failed);
  CHECK(report.checks[0].findings == 1);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].fingerprint.size() == 16);
}

TEST_CASE("a check that throws is one internal error, and the others still run") {
  const ScriptedCheck broken(rule_named("broken", "XXX001"), [](Diagnostics& d) {
    d.add(d.start("found before the fault"));
    throw std::runtime_error("index out of range");
  });
  const ScriptedCheck loud(rule_named("loud", "XXX002"),
                           [](Diagnostics& d) { d.add(d.start("something is wrong")); });
  const ModelReport report = lint_with({&broken, &loud});
  CHECK(report.checks[0].status == CheckStatus::crashed);
  CHECK(report.checks[1].status == CheckStatus::failed);
  REQUIRE(report.findings.size() == 3);
  const auto internal = std::find_if(report.findings.begin(), report.findings.end(),
                                     [](const auto& d) { return d.code == "MET002"; });
  REQUIRE(internal != report.findings.end());
  CHECK(internal->rule == "internal-error");
  CHECK(internal->message == "the check `broken` stopped: index out of range");
}

TEST_CASE("a location gets its line of Python from the model") {
  GraphBuilder graph;
  graph.add_source_line("net.py", 7, "    return self.relu(x)");
  const ScriptedCheck loud(rule_named("loud", "XXX002"), [](Diagnostics& d) {
    Diagnostic finding = d.start("something is wrong");
    finding.locations.push_back({{"net.py", 7, 11, 0}, "", "call", ""});
    finding.locations.push_back({{"net.py", 8, 11, 0}, "", "call", ""});
    d.add(finding);
  });
  const ModelReport report = lint_with({&loud}, graph);
  CHECK(report.findings[0].locations[0].code == "    return self.relu(x)");
  CHECK(report.findings[0].locations[1].code.empty());
}
