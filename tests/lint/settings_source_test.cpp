#include "checks.h"
#include "lint/settings_source.h"
#include "support/temporary_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using test::registry_of;
using test::rule_named;
using test::TemporaryFolder;

namespace {

const Registry& registry() {
  static const Registry checks = registry_of({rule_named("reused-modules", "GRA001")});
  return checks;
}

SettingsSource source(Config command_line = {}, const std::filesystem::path& file = {},
                      bool isolated = false) {
  return {registry(), std::move(command_line), file, isolated};
}

} // namespace

TEST_CASE("each model has the settings of the nearest file") {
  const TemporaryFolder folder;
  folder.write("a/model_validator.toml", "fail-on = \"error\"\n");
  folder.write("b/model_validator.toml", "fail-on = \"never\"\n");
  SettingsSource settings = source();
  CHECK(settings.settings_for(folder.path() / "a" / "m.pt")->fail_on == Severity::error);
  CHECK(settings.settings_for(folder.path() / "b" / "m.pt")->fail_on == Severity::off);
  CHECK(settings.settings_for(folder.path() / "a" / "m.pt") ==
        settings.settings_for(folder.path() / "a" / "n.pt"));
}

TEST_CASE("parts for some files give these other settings") {
  const TemporaryFolder folder;
  folder.write("model_validator.toml", "[[per-file]]\nfiles = [\"x*.pt\"]\nfail-on = \"error\"\n");
  SettingsSource settings = source();
  CHECK(settings.settings_for(folder.path() / "x1.pt")->fail_on == Severity::error);
  CHECK(settings.settings_for(folder.path() / "y1.pt")->fail_on == Severity::warning);
}

TEST_CASE("parts for other files are checked as well") {
  for (const std::string wrong : {"ignore = [\"nope\"]", "target = [\"nope\"]"}) {
    INFO(wrong);
    const TemporaryFolder folder;
    folder.write("model_validator.toml", "[[per-file]]\nfiles = [\"x*.pt\"]\n" + wrong + "\n");
    SettingsSource settings = source();
    CHECK_THROWS_AS(settings.settings_for(folder.path() / "y1.pt"), Error);
  }
}

TEST_CASE("the command line wins") {
  const TemporaryFolder folder;
  folder.write("model_validator.toml", "fail-on = \"error\"\n");
  Config flags;
  flags.origin = "command line";
  flags.fail_on = Severity::info;
  CHECK(source(flags).settings_for(folder.path() / "m.pt")->fail_on == Severity::info);
}

TEST_CASE("a named file is used for every model, and isolation uses none") {
  const TemporaryFolder folder;
  folder.write("model_validator.toml", "fail-on = \"error\"\n");
  const auto other = folder.write("other.toml", "fail-on = \"never\"\n");
  const auto model = folder.path() / "m.pt";
  CHECK(source({}, other).settings_for(model)->fail_on == Severity::off);
  CHECK(source({}, {}, true).settings_for(model)->fail_on == Severity::warning);
}

TEST_CASE("a file that was found is not the user's word, and one that was named is") {
  const TemporaryFolder folder;
  folder.write("known.json", "{}");
  const auto file = folder.write("a/model_validator.toml", "baseline = \"../known.json\"\n");
  CHECK_THROWS_WITH(source().settings_for(folder.path() / "a" / "m.pt"),
                    Catch::Contains("outside the folder"));
  const auto settings = source({}, file).settings_for(folder.path() / "a" / "m.pt");
  CHECK(settings->baseline.filename() == "known.json");
  CHECK(settings->config_file == file);
}

TEST_CASE("a target that is named often counts once") {
  const TemporaryFolder folder;
  folder.write("chip.toml", "[target]\nname = \"chip\"\n[operators]\n\"aten::relu\" = 0\n");
  std::string targets;
  for (int i = 0; i < 1000; ++i) targets += "\"onnx\", \"onnx@17\", ";
  folder.write("model_validator.toml",
               "target = [" + targets + "]\nprofile = [\"chip.toml\", \"./chip.toml\"]\n");
  CHECK(source().settings_for(folder.path() / "m.pt")->targets.size() == 3);
}

TEST_CASE("an unknown rule is reported as an error in its file") {
  const TemporaryFolder folder;
  const auto file = folder.write("model_validator.toml", "ignore = [\"reused-module\"]\n");
  try {
    source({}, file).settings_for("m.pt");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.path() == file.string());
    CHECK(error.hint() == "did you mean `reused-modules`?");
  }
}

TEST_CASE("an option that a rule does not have is an error") {
  const TemporaryFolder folder;
  const auto file = folder.write("model_validator.toml", "[rule.reused-modules]\nbytes = 3\n");
  CHECK_THROWS_WITH(source({}, file).settings_for("m.pt"),
                    "line 2: the rule `reused-modules` has no option `bytes`");
}
