#include "cli/check/effective_settings.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace model_validator;
using namespace model_validator::cli;

namespace {

EffectiveSetting setting(const std::vector<Config>& layers, const std::string& name) {
  const auto all = effective_settings(Registry::builtin(), layers);
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const EffectiveSetting& s) { return s.name == name; });
  REQUIRE(found != all.end());
  return *found;
}

} // namespace

TEST_CASE("a setting that no layer decides is a default") {
  CHECK(setting({}, "fail-on").value == "warning");
  CHECK(setting({}, "fail-on").origin == "default");
  CHECK(setting({}, "rule.reused-modules").value == "warning");
}

TEST_CASE("a setting comes from the last layer that has it, with its line") {
  Config file;
  file.origin = "model_validator.toml";
  file.fail_on = Severity::error;
  file.opset = 13;
  file.targets = {{"onnx"}};
  file.lines = {{"fail-on", 4}, {"opset", 5}};
  Config flags;
  flags.origin = "command line";
  flags.opset = 17;
  CHECK(setting({file, flags}, "fail-on").origin == "model_validator.toml:4");
  CHECK(setting({file, flags}, "opset").value == "17");
  CHECK(setting({file, flags}, "opset").origin == "command line");
}

TEST_CASE("a rule shows whether it is on, and which layer decided") {
  Config file;
  file.origin = "model_validator.toml";
  file.selection.ignore = {"GRA001"};
  file.severity = {{"GRA002", Severity::error}};
  file.lines = {{"ignore", 1}, {"severity.GRA002", 3}};
  CHECK(setting({file}, "rule.reused-modules").value == "off");
  CHECK(setting({file}, "rule.reused-modules").origin == "model_validator.toml:1");
  CHECK(setting({file}, "rule.missing-modules").value == "error");
  CHECK(setting({file}, "rule.missing-modules").origin == "model_validator.toml:3");
}
