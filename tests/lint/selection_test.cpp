#include "checks.h"
#include "lint/selection.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using test::registry_of;
using test::rule_named;
using Names = std::vector<std::string>;

namespace {

Names selected(const std::vector<Selection>& layers) {
  Names names;
  for (const RuleInfo& rule :
       {rule_named("reused-modules", "GRA001"), rule_named("missing-modules", "GRA002"),
        rule_named("unsupported-ops", "TGT001", false)})
    if (is_selected(rule, layers)) names.emplace_back(rule.name);
  return names;
}

} // namespace

TEST_CASE("without a choice the rules on by default run") {
  CHECK(selected({}) == Names{"reused-modules", "missing-modules"});
}

TEST_CASE("a rule is selected by name, code, start of code, or as one of all") {
  CHECK(selected({{Names{"reused-modules"}, {}, {}}}) == Names{"reused-modules"});
  CHECK(selected({{Names{"TGT001"}, {}, {}}}) == Names{"unsupported-ops"});
  CHECK(selected({{Names{"GRA"}, {}, {}}}).size() == 2);
  CHECK(selected({{Names{"all"}, {}, {}}}).size() == 3);
}

TEST_CASE("extend-select adds, ignore takes away") {
  CHECK(selected({{{}, {"TGT"}, {"GRA002"}}}) == Names{"reused-modules", "unsupported-ops"});
}

TEST_CASE("a later layer wins") {
  const Selection file{Names{"GRA001"}, {}, {"GRA002"}};
  CHECK(selected({file, {Names{"GRA002"}, {}, {}}}) == Names{"missing-modules"});
  CHECK(selected({file, {{}, {"GRA002"}, {}}}) == Names{"reused-modules", "missing-modules"});
  CHECK(selected({file, {{}, {}, {"GRA001"}}}).empty());
}

TEST_CASE("an unknown rule is an error that names the nearest") {
  const Registry registry = registry_of({rule_named("reused-modules", "GRA001")});
  for (const char* known : {"reused-modules", "GRA001", "GRA", "all", "MET001"})
    CHECK_NOTHROW(require_known(known, registry));
  try {
    require_known("reused-module", registry);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unknown_rule);
    CHECK(error.hint() == "did you mean `reused-modules`?");
  }
}

TEST_CASE("one letter of a code selects nothing") {
  CHECK_FALSE(selects("G", rule_named("reused-modules", "GRA001")));
}
