#include "cli/rule_pages.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <algorithm>

using namespace model_validator;
using namespace model_validator::cli;

TEST_CASE("rules are listed by code, the tool's own among them") {
  const auto rules = all_rules();
  CHECK(std::is_sorted(rules.begin(), rules.end(),
                       [](const auto& a, const auto& b) { return a.code < b.code; }));
  CHECK(std::any_of(rules.begin(), rules.end(), [](const auto& r) { return r.code == "MET002"; }));
}

TEST_CASE("a rule is found by name or code in any case") {
  CHECK(find_rule("reused-modules").code == "GRA001");
  CHECK(find_rule("gra001").name == "reused-modules");
}

TEST_CASE("an unknown rule comes with the nearest name") {
  try {
    find_rule("reusedmodules");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.hint() == "did you mean `reused-modules`?");
  }
}

TEST_CASE("every rule has its page, with the headings that pages have") {
  for (const RuleInfo& rule : all_rules()) {
    const std::string page = rule_page(rule);
    INFO(rule.name);
    CHECK_THAT(page, Catch::StartsWith("# " + std::string(rule.name) + "\n\n`" +
                                       std::string(rule.code) + "` · "));
    for (const char* heading :
         {"What it does", "Why it matters", "Example", "Use instead", "Fix safety"})
      CHECK_THAT(page, Catch::Contains("## " + std::string(heading)));
    CHECK_THAT(page, !Catch::Contains("<!--"));
  }
}
