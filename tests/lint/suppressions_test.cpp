#include "checks.h"
#include "lint/suppressions.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using Catch::Contains;
using test::rule_named;
using test::ScriptedCheck;

namespace {

Diagnostic finding(const std::string& module) {
  Diagnostic diagnostic;
  diagnostic.rule = "reused-modules";
  diagnostic.code = "GRA001";
  diagnostic.module = module;
  diagnostic.op = OpReference{"relu_0", "relu"};
  diagnostic.locations = {{{"net.py", 7, 8, 0}, "", "call", ""}};
  return diagnostic;
}

ModelReport report_of(std::vector<Diagnostic> findings, const std::string& path = "/w/m.pt") {
  ModelReport report;
  report.path = path;
  report.findings = std::move(findings);
  return report;
}

/// Settings with one suppression, under which `reused-modules` runs.
struct Case {
  ScriptedCheck check{rule_named("reused-modules", "GRA001"), nullptr};
  SuppressionEntry entry;
  Settings settings;

  explicit Case(SuppressionEntry with) : entry(std::move(with)) {
    entry.where = {"/w/model_validator.toml", 3, 0, 0};
    if (entry.reason.empty()) entry.reason = "agreed";
    settings.enabled = {&check};
    settings.tool_rules = {"unused-suppression"};
    if (!entry.rule.empty())
      settings.suppressions = {std::make_shared<const SuppressionEntry>(entry)};
  }

  ModelReport applied(ModelReport report, const std::vector<InlineIgnore>& ignores = {}) const {
    Suppressions suppressions("2030-06-15");
    suppressions.expect(report.path, settings);
    suppressions.apply(settings, ignores, report);
    return report;
  }
};

SuppressionEntry entry(const std::string& rule, const std::string& module = "",
                       const std::string& op = "", const std::string& model = "") {
  return {rule, module, op, model, "agreed", "", {}};
}

bool hidden(const Case& under, const Diagnostic& what) {
  const ModelReport report = under.applied(report_of({what}));
  return report.findings.front().suppressed.has_value();
}

} // namespace

TEST_CASE("a suppression hides what it names, by rule, module, op and model") {
  CHECK(hidden(Case(entry("reused-modules")), finding("a.relu")));
  CHECK(hidden(Case(entry("GRA", "a.*", "relu", "*.pt")), finding("a.relu")));
  CHECK_FALSE(hidden(Case(entry("reused-modules", "b.*")), finding("a.relu")));
  CHECK_FALSE(hidden(Case(entry("reused-modules", "", "gelu")), finding("a.relu")));
  for (const char* spelled : {"onnx::Relu", "Relu", "aten::relu"})
    CHECK(hidden(Case(entry("reused-modules", "", spelled)), finding("a.relu")));
  CHECK_FALSE(hidden(Case(entry("reused-modules", "", "onnx::Gelu")), finding("a.relu")));
  CHECK_FALSE(hidden(Case(entry("missing-modules")), finding("a.relu")));
  CHECK_FALSE(hidden(Case(entry("reused-modules", "", "", "*.onnx")), finding("a.relu")));
}

TEST_CASE("an alias of the module is as good as its path") {
  Diagnostic aliased = finding("relu");
  aliased.aliases = {"body.act"};
  CHECK(hidden(Case(entry("reused-modules", "body.act")), aliased));
}

TEST_CASE("the reason goes with the finding, and the model passes") {
  const ModelReport report = Case(entry("GRA001")).applied(report_of({finding("a")}));
  CHECK(report.findings[0].suppressed->by == "config");
  CHECK(report.findings[0].suppressed->reason == "agreed");
  CHECK(report.status == ModelStatus::passed);
}

namespace {

/// What is reported of a comment beside a finding of `reused-modules`.
std::vector<Diagnostic> told(const InlineIgnore& ignore, const Registry& rules) {
  Case under({});
  under.settings.registry = &rules;
  std::vector<Diagnostic> reported;
  for (const Diagnostic& each : under.applied(report_of({finding("a")}), {ignore}).findings)
    if (each.code == "MET001") reported.push_back(each);
  return reported;
}

} // namespace

TEST_CASE("a comment for a rule that there is not is reported with the nearest") {
  const Registry rules = test::registry_of({rule_named("reused-modules", "GRA001")});
  const auto reported = told({{"reused-modulez"}, "", {"net.py", 7, 0, 0}}, rules);
  REQUIRE(reported.size() == 1);
  CHECK(reported[0].locations[0].source.line == 7);
  CHECK_THAT(reported[0].message, Contains("`mv: ignore[reused-modulez]`"));
  CHECK(reported[0].help == "did you mean `reused-modules`?");
  CHECK(told({{"reused-modules"}, "", {"net.py", 7, 0, 0}}, rules).empty());
  CHECK(told({{"GRA"}, "", {"net.py", 7, 0, 0}}, rules).empty());
}

TEST_CASE("a comment for a rule that there is, but that does not run, is not reported") {
  const Registry rules = test::registry_of(
      {rule_named("reused-modules", "GRA001"), rule_named("missing-modules", "GRA002")});
  CHECK(told({{"missing-modules"}, "", {"net.py", 7, 0, 0}}, rules).empty());
}

TEST_CASE("where the rule that reports it is off, a comment for no rule is told all the same") {
  const Registry rules = test::registry_of({rule_named("reused-modules", "GRA001")});
  Case under({});
  under.settings.registry = &rules;
  under.settings.tool_rules.clear();
  const auto untold = [&](const char* selector) {
    Suppressions suppressions("2030-06-15");
    suppressions.expect("/w/m.pt", under.settings);
    ModelReport report = report_of({});
    suppressions.apply(under.settings, {{{selector}, "", {"net.py", 7, 0, 0}}}, report);
    CHECK(report.findings.empty());
    return suppressions.take_untold();
  };
  REQUIRE(untold("reused-modulez").size() == 1);
  CHECK_THAT(untold("reused-modulez")[0], Catch::StartsWith("net.py:7: "));
  CHECK(untold("reused-modules").empty());
}

TEST_CASE("a comment that is not understood hides nothing and is reported once for a run") {
  const Registry rules = test::registry_of({rule_named("reused-modules", "GRA001")});
  const InlineIgnore blanket{{}, "", {"net.py", 7, 0, 0}, "`mv: ignore` names no rule", "name one"};
  CHECK(told(blanket, rules).size() == 1);
  const Case under({});
  Suppressions suppressions("2030-06-15");
  std::vector<ModelReport> reports{report_of({finding("a")}, "/w/1.pt"),
                                   report_of({finding("a")}, "/w/2.pt")};
  for (const ModelReport& report : reports) suppressions.expect(report.path, under.settings);
  for (ModelReport& report : reports) suppressions.apply(under.settings, {blanket}, report);
  CHECK(reports[0].findings.size() == 1);
  CHECK(reports[1].findings.size() == 2);
}

TEST_CASE("a suppression that hides nothing is a finding") {
  const ModelReport report = Case(entry("GRA001", "gone")).applied(report_of({}));
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].code == "MET001");
  CHECK(report.findings[0].message == "the suppression of `GRA001` in `gone` hides nothing");
  CHECK(report.findings[0].locations[0].source.line == 3);
}

TEST_CASE("an expired suppression hides nothing and is a finding") {
  SuppressionEntry old = entry("GRA001");
  old.expires = "2030-06-14";
  const ModelReport report = Case(old).applied(report_of({finding("a")}));
  REQUIRE(report.findings.size() == 2);
  CHECK_FALSE(report.findings[1].suppressed);
  CHECK_THAT(report.findings[0].message, Contains("expired on 2030-06-14"));
  old.expires = "2030-06-15";
  CHECK(hidden(Case(old), finding("a")));
}

TEST_CASE("a suppression is judged with the last model that it may concern") {
  const Case under(entry("GRA001", "b"));
  Suppressions suppressions("2030-06-15");
  ModelReport first = report_of({finding("a")}, "/w/1.pt");
  ModelReport second = report_of({finding("b")}, "/w/2.pt");
  for (const ModelReport* report : {&first, &second})
    suppressions.expect(report->path, under.settings);
  suppressions.apply(under.settings, {}, first);
  suppressions.apply(under.settings, {}, second);
  CHECK(first.findings.size() == 1);
  CHECK(second.findings.size() == 1);
  CHECK(second.findings[0].suppressed);
}

TEST_CASE("a rule that does not run does not make its suppression look unused") {
  CHECK(Case(entry("missing-modules")).applied(report_of({})).findings.empty());
}

TEST_CASE("unused suppressions are not reported where their rule is off") {
  Case under(entry("GRA001"));
  under.settings.tool_rules.clear();
  CHECK(under.applied(report_of({})).findings.empty());
}

TEST_CASE("a comment on the line hides the finding, from the model or the Python file") {
  const Case under({});
  const InlineIgnore ignore{{"reused-modules"}, "same scale", {"net.py", 7, 0, 0}};
  const ModelReport carried = under.applied(report_of({finding("a")}), {ignore});
  REQUIRE(carried.findings.size() == 1);
  CHECK(carried.findings[0].suppressed->by == "inline");
  CHECK(carried.findings[0].suppressed->reason == "same scale");
  Diagnostic at_hand = finding("a");
  at_hand.locations[0].code = "x = self.relu(x)  # mv: ignore[GRA001]";
  CHECK(under.applied(report_of({at_hand})).findings[0].suppressed);
}

TEST_CASE("a comment for another rule or line hides nothing, which is a finding") {
  const Case under({});
  const InlineIgnore elsewhere{{"reused-modules"}, "", {"net.py", 8, 0, 0}};
  const ModelReport report = under.applied(report_of({finding("a")}), {elsewhere});
  REQUIRE(report.findings.size() == 2);
  CHECK(report.findings[1].message == "`mv: ignore[reused-modules]` hides nothing");
  const InlineIgnore other{{"missing-modules"}, "", {"net.py", 7, 0, 0}};
  CHECK_FALSE(under.applied(report_of({finding("a")}), {other}).findings[0].suppressed);
}

TEST_CASE("an ignore in the source that any model of the run uses is used") {
  const Case under(entry(""));
  const std::vector<InlineIgnore> ignores{{{"reused-modules"}, "", {"net.py", 7, 0, 0}}};
  for (const bool used : {true, false}) {
    Suppressions suppressions("2030-06-15");
    ModelReport first = report_of(
        used ? std::vector<Diagnostic>{finding("a")} : std::vector<Diagnostic>{}, "/w/1.pt");
    ModelReport second = report_of({}, "/w/1.onnx");
    for (const ModelReport* report : {&first, &second})
      suppressions.expect(report->path, under.settings);
    suppressions.apply(under.settings, ignores, first);
    suppressions.apply(under.settings, ignores, second);
    CHECK(first.findings.size() == (used ? 1 : 0));
    CHECK(second.findings.size() == (used ? 0 : 1));
  }
}
