#include "checks.h"
#include "lint/settings.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using test::registry_of;
using test::rule_named;

namespace {

Registry registry() {
  return registry_of({rule_named("reused-modules", "GRA001"), rule_named("old-format", "SER002")});
}

} // namespace

TEST_CASE("severities are overridden by selector, and off turns a rule off") {
  Config config;
  config.severity = {{"GRA", Severity::error}, {"old-format", Severity::off}};
  const Registry checks = registry();
  const Settings settings = settle_settings(checks, {config});
  CHECK(settings.severity.at("reused-modules") == Severity::error);
  REQUIRE(settings.enabled.size() == 1);
  CHECK(settings.enabled[0]->info().name == "reused-modules");
}

TEST_CASE("the last layer that answers a question decides it") {
  Config file;
  file.fail_on = Severity::error;
  file.targets = {{"onnx"}};
  Config flags;
  flags.targets = {{"aimet"}};
  const Registry checks = registry();
  const Settings settings = settle_settings(checks, {file, flags});
  CHECK(settings.fail_on == Severity::error);
  REQUIRE(settings.targets.size() == 1);
  CHECK(settings.targets[0]->name == "aimet");
}

TEST_CASE("an opset applies to the targets that have one") {
  Config flags;
  flags.targets = {{"onnx", "aimet"}};
  flags.opset = 13;
  const Registry checks = registry();
  const Settings settings = settle_settings(checks, {flags});
  CHECK(settings.targets.at(0)->opset == 13);
  CHECK(settings.targets.at(1)->opset == 0);
}

TEST_CASE("AIMET's tables grow by what the layers add") {
  Config config;
  config.op_type_map["my.Swish"] = "Swish";
  config.functional_ops = {"roll"};
  const Registry checks = registry();
  const Settings settings = settle_settings(checks, {config});
  CHECK(settings.tables->op_type_map.at("my.Swish") == "Swish");
  CHECK(settings.tables->functional_ops.count("roll") == 1);
  CHECK(settings.context().tables == settings.tables.get());
}

TEST_CASE("an unknown target is an error") {
  Config config;
  config.targets = {{"onyx"}};
  const Registry checks = registry();
  CHECK_THROWS_AS(settle_settings(checks, {config}), Error);
}
