#include "checks.h"
#include "lint/settings.h"
#include "support/thrown.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <sstream>

using namespace model_validator;
using test::registry_of;
using test::rule_named;

namespace {

Registry registry() {
  return registry_of({rule_named("reused-modules", "GRA001"), rule_named("old-format", "SER002")});
}

struct DeclaredOption {
  std::string rule, name;
  RuleOption::Type type;
};

/// The options of all checks that come with the program.
std::vector<DeclaredOption> declared_options(const Registry& registry) {
  std::vector<DeclaredOption> declared;
  for (const auto& check : registry.validators())
    for (const RuleOption& option : check->info().options)
      declared.push_back({std::string(check->info().name), std::string(option.name), option.type});
  return declared;
}

AttributeValue value_of_type(RuleOption::Type type) {
  if (type == RuleOption::Type::flag) return true;
  if (type == RuleOption::Type::whole_number) return std::int64_t{5};
  return std::vector<std::string>{"float64"};
}

Settings with_option(const Registry& checks, const std::string& rule, const std::string& name,
                     AttributeValue value) {
  Config config;
  config.origin = "model_validator.toml";
  config.options[rule][name] = std::move(value);
  return resolve_settings(checks, {config});
}

Error refusal(const Registry& checks, const std::string& rule, const std::string& name,
              AttributeValue value) {
  const auto error = test::thrown_by([&] { with_option(checks, rule, name, std::move(value)); });
  REQUIRE(error);
  return *error;
}

} // namespace

TEST_CASE("severities are overridden by selector, and off turns a rule off") {
  Config config;
  config.severity = {{"GRA", Severity::error}, {"old-format", Severity::off}};
  const Registry checks = registry();
  const Settings settings = resolve_settings(checks, {config});
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
  const Settings settings = resolve_settings(checks, {file, flags});
  CHECK(settings.fail_on == Severity::error);
  REQUIRE(settings.targets.size() == 1);
  CHECK(settings.targets[0]->name == "aimet");
}

TEST_CASE("an opset applies to the targets that have one") {
  Config flags;
  flags.targets = {{"onnx", "aimet"}};
  flags.opset = 13;
  const Registry checks = registry();
  const Settings settings = resolve_settings(checks, {flags});
  CHECK(settings.targets.at(0)->opset == 13);
  CHECK(settings.targets.at(1)->opset == 0);
}

TEST_CASE("an opset that no target has is an error where it was asked for by hand") {
  Config config;
  config.targets = {{"openvino"}};
  config.opset = 13;
  config.origin = "command line";
  const Registry checks = registry();
  CHECK_THROWS_AS(resolve_settings(checks, {config}), Error);
  config.targets = {};
  CHECK_THROWS_AS(resolve_settings(checks, {config}), Error);
  config.origin = "pyproject.toml";
  CHECK_NOTHROW(resolve_settings(checks, {config}));
}

TEST_CASE("AIMET's tables grow by what the layers add") {
  Config config;
  config.op_type_map["my.Swish"] = "Swish";
  config.functional_ops = {"roll"};
  const Registry checks = registry();
  const Settings settings = resolve_settings(checks, {config});
  CHECK(settings.tables->op_type_map.at("my.Swish") == "Swish");
  CHECK(settings.tables->functional_ops.count("roll") == 1);
  CHECK(settings.context().tables == settings.tables.get());
}

TEST_CASE("an unknown target is an error") {
  Config config;
  config.targets = {{"onyx"}};
  const Registry checks = registry();
  CHECK_THROWS_AS(resolve_settings(checks, {config}), Error);
}

TEST_CASE("an error about a target names the file that asks for it") {
  Config config;
  config.targets = {{"onyx"}};
  config.origin = "model_validator.toml";
  const Registry checks = registry();
  const auto error = test::thrown_by([&] { resolve_settings(checks, {config}); });
  REQUIRE(error);
  CHECK(error->path() == "model_validator.toml");
  CHECK(error->kind() == ErrorKind::unknown_target);
}

TEST_CASE("an error about a name in a file names its line") {
  const Registry checks = Registry::builtin();
  const auto said = [&](Config config, const std::string& key) {
    config.origin = "model_validator.toml";
    config.lines[key] = 7;
    const auto error = test::thrown_by([&] { resolve_settings(checks, {config}); });
    REQUIRE(error);
    return std::string(error->what()).substr(0, 8);
  };
  Config target, preset, ignored, severity, suppressed;
  target.targets = {{"onyx"}};
  CHECK(said(target, "target") == "line 7: ");
  preset.preset = "deplay";
  CHECK(said(preset, "preset") == "line 7: ");
  ignored.selection.ignore = {"GRA99"};
  CHECK(said(ignored, "ignore") == "line 7: ");
  severity.severity["GRA99"] = Severity::error;
  CHECK(said(severity, "severity.GRA99") == "line 7: ");
  suppressed.suppressions.push_back(std::make_shared<const SuppressionEntry>(
      SuppressionEntry{"GRA99", "", "", "", "known", "", {"model_validator.toml", 7, 0, 0}}));
  CHECK(said(suppressed, "") == "line 7: ");
}

TEST_CASE("every option that a check declares is accepted, and reaches the check") {
  const Registry checks = Registry::builtin();
  for (const DeclaredOption& option : declared_options(checks)) {
    CAPTURE(option.rule, option.name);
    const AttributeValue value = value_of_type(option.type);
    const Settings settings = with_option(checks, option.rule, option.name, value);
    CHECK(settings.context().options_of(option.rule).at(option.name) == value);
  }
}

TEST_CASE("a mistyped option is refused, and the intended one is named") {
  const Registry checks = Registry::builtin();
  for (const DeclaredOption& option : declared_options(checks)) {
    CAPTURE(option.rule, option.name);
    const Error error = refusal(checks, option.rule, option.name + "s", value_of_type(option.type));
    CHECK(error.path() == "model_validator.toml");
    CHECK(error.hint() == "did you mean `" + option.name + "`?");
  }
}

TEST_CASE("a value of another type is refused, not ignored") {
  const Registry checks = Registry::builtin();
  CHECK(std::string(refusal(checks, "large-constant", "bytes", std::string("1 MB")).what()) ==
        "the option `bytes` of the rule `large-constant` must be a whole number");
  CHECK(std::string(refusal(checks, "nondeterministic-op", "gpu", std::int64_t{1}).what()) ==
        "the option `gpu` of the rule `nondeterministic-op` must be true or false");
}

TEST_CASE("a rule without options, or a group of rules, takes none") {
  const Registry checks = Registry::builtin();
  CHECK(refusal(checks, "old-format", "bytes", std::int64_t{1}).hint() == "it has none");
  CHECK(refusal(checks, "GRA", "bytes", std::int64_t{1}).kind() == ErrorKind::bad_config);
}

TEST_CASE("a preset leaves out what only quantisers ask for, unless it is named") {
  const Registry checks = registry();
  const auto names = [&](const std::vector<Config>& layers) {
    std::vector<std::string> all;
    for (const Validator* check : resolve_settings(checks, layers).enabled)
      all.emplace_back(check->info().name);
    return all;
  };
  Config deploy;
  deploy.preset = "deploy";
  CHECK(names({{}}).size() == 2);
  CHECK(names({deploy}) == std::vector<std::string>{"old-format"});
  Config named;
  named.selection.extend_select = {"reused-modules"};
  CHECK(names({deploy, named}).size() == 2);
  Config fallback;
  fallback.preset = "quantise";
  CHECK(names({deploy, fallback}).size() == 2);
  const auto decided = [&](const std::vector<Config>& layers) {
    return resolve_settings(checks, layers).left_to_preset.contains("reused-modules");
  };
  CHECK(decided({{}}));
  CHECK(decided({deploy}));
  CHECK_FALSE(decided({deploy, named})); // whatever the preset is
  Config ignored;
  ignored.selection.ignore = {"reused-modules"};
  CHECK_FALSE(decided({ignored}));
  Config unknown;
  unknown.preset = "deplay";
  const auto error = test::thrown_by([&] { resolve_settings(checks, {unknown}); });
  REQUIRE(error);
  CHECK(error->hint() == "did you mean `deploy`?");
}
