#include "rules/config_file.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

using namespace model_validator;
using Catch::Contains;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

namespace {

Config layer_of(const std::string& text) {
  const TemporaryFolder folder;
  return load_config_file(folder.write("model_validator.toml", text)).layers.back();
}

struct Failure {
  std::string message;
  std::string hint;
};

Failure failure_of(const std::string& text) {
  try {
    layer_of(text);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::bad_config);
    return {error.what(), error.hint()};
  }
  return {};
}

} // namespace

TEST_CASE("a configuration whose name is nearly ours is told") {
  const TemporaryFolder folder;
  folder.write("model-validator.toml");
  const NearestConfig nearest = find_config_file(folder.path());
  CHECK(nearest.file.empty());
  REQUIRE(nearest.passed_over.size() == 1);
  CHECK_THAT(nearest.passed_over[0], Contains("its name must be model_validator.toml"));
}

TEST_CASE("a table of a pyproject.toml whose name is nearly ours is told") {
  const TemporaryFolder folder;
  folder.write("pyproject.toml", "[tool.model_validtor]\n");
  const NearestConfig nearest = find_config_file(folder.path());
  REQUIRE(nearest.passed_over.size() == 1);
  CHECK_THAT(nearest.passed_over[0], Contains("did you mean [tool.model_validator]?"));
  for (const char* other : {"mypy", "model", "modelling", "validate-pyproject"}) {
    folder.write("pyproject.toml", "[tool." + std::string(other) + "]\n");
    CHECK(find_config_file(folder.path()).passed_over.empty());
  }
}

TEST_CASE("a configuration file is read with every setting") {
  const Config config = layer_of(R"(
select = ["GRA", "TGT"]
extend-select = "NUM001"
ignore = ["GRA002"]
target = "onnx"
opset = 17
fail-on = "error"
baseline = "known.json"
[severity]
GRA001 = "error"
[rule.large-constant]
bytes = 1000
names = ["a", "b"]
[aimet]
functional-ops = ["roll"]
[aimet.op-type-map]
"my.Swish" = "Swish"
[[suppress]]
rule = "reused-modules"
module = "body.*"
reason = "one scale is enough"
expires = 2031-02-03
)");
  CHECK(config.selection.select == Names{"GRA", "TGT"});
  CHECK(config.selection.extend_select == Names{"NUM001"});
  CHECK(config.selection.ignore == Names{"GRA002"});
  CHECK(config.targets == Names{"onnx"});
  CHECK(config.opset == 17);
  CHECK(config.fail_on == Severity::error);
  CHECK(config.baseline->filename() == "known.json");
  CHECK(config.severity.at("GRA001") == Severity::error);
  CHECK(config.options.at("large-constant").at("bytes") == AttributeValue(std::int64_t{1000}));
  CHECK(config.options.at("large-constant").at("names") == AttributeValue(Names{"a", "b"}));
  CHECK(config.functional_ops == Names{"roll"});
  CHECK(config.op_type_map.at("my.Swish") == "Swish");
  REQUIRE(config.suppressions.size() == 1);
  CHECK(config.suppressions[0]->expires == "2031-02-03");
  CHECK(config.suppressions[0]->where.line == 18);
  CHECK(config.lines.at("opset") == 6);
  CHECK(config.lines.at("severity.GRA001") == 10);
}

TEST_CASE("an unknown key is an error that names the nearest known one") {
  const Failure failure = failure_of("selct = [\"GRA\"]\n");
  CHECK_THAT(failure.message, Contains("line 1: unknown key `selct`"));
  CHECK(failure.hint == "did you mean `select`?");
  CHECK(failure_of("[[suppress]]\nrule = \"a\"\nreson = \"b\"\n").hint == "did you mean `reason`?");
  CHECK(failure_of("[[per-file]]\nfile = \"a\"\n").hint == "did you mean `files`?");
  CHECK(failure_of("[aimet]\nfunctional-op = []\n").hint == "did you mean `functional-ops`?");
}

TEST_CASE("what a key cannot be is an error with its line") {
  CHECK_THAT(failure_of("\nfail-on = \"often\"\n").message, Contains("line 2: `often`"));
  CHECK_THAT(failure_of("[severity]\nGRA001 = \"fatal\"\n").message, Contains("`fatal` is no"));
  CHECK_THAT(failure_of("opset = \"17\"\n").message, Contains("must be a whole number"));
  CHECK_THAT(failure_of("select = [1]\n").message, Contains("must be a list of strings"));
  CHECK_THAT(failure_of("select = \n").message, Contains("not valid TOML"));
}

TEST_CASE("a suppression needs a reason, and its expiry is a date") {
  CHECK_THAT(failure_of("[[suppress]]\nrule = \"a\"\n").message, Contains("without a `reason`"));
  CHECK_THAT(failure_of("[[suppress]]\nrule = \"a\"\nreason = \" \"\n").message,
             Contains("without a `reason`"));
  CHECK_THAT(failure_of("[[suppress]]\nreason = \"a\"\n").message, Contains("`rule` is missing"));
  CHECK_THAT(failure_of("[[suppress]]\nrule = \"a\"\nreason = \"b\"\nexpires = \"soon\"\n").message,
             Contains("must be a date"));
}

TEST_CASE("a file suppresses a thousand things at most") {
  const auto suppressions = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "[[suppress]]\nrule = \"a\"\nreason = \"b\"\n";
    return text;
  };
  const TemporaryFolder folder;
  CHECK(
      load_config_file(folder.write("a.toml", suppressions(1000))).layers[0].suppressions.size() ==
      1000);
  CHECK_THAT(failure_of(suppressions(1001)).message, Contains("more than 1000 [[suppress]]"));
}

TEST_CASE("a file extends another, and overrides it") {
  const TemporaryFolder folder;
  folder.write("base.toml", "opset = 13\nfail-on = \"error\"\n");
  const auto file =
      folder.write("sub/model_validator.toml", "extend = \"../base.toml\"\nopset = 17\n");
  const ConfigFile config = load_config_file(file);
  REQUIRE(config.layers.size() == 2);
  CHECK(config.layers[0].opset == 13);
  CHECK(config.layers[1].opset == 17);
}

TEST_CASE("a file that extends one that is not there is named") {
  const TemporaryFolder folder;
  const auto file = folder.write("a.toml", "extend = \"b.toml\"\n");
  const auto error = test::thrown_by([&] { load_config_file(file); });
  REQUIRE(error);
  CHECK(error->path() == file.string());
  CHECK_THAT(error->what(), Contains("b.toml") && Contains("does not exist"));
}

TEST_CASE("files that extend each other in a circle are an error") {
  const TemporaryFolder folder;
  const auto file = folder.write("a.toml", "extend = \"b.toml\"\n");
  folder.write("b.toml", "extend = \"a.toml\"\n");
  CHECK_THROWS_WITH(load_config_file(file), Contains("extends itself"));
}

TEST_CASE("settings for some files come after the general ones") {
  const TemporaryFolder folder;
  const ConfigFile config = load_config_file(folder.write("model_validator.toml", R"(
opset = 17
[[per-file]]
files = ["legacy/*.pt"]
opset = 11
)"));
  CHECK(layers_for(config, folder.path() / "legacy" / "old.pt").back().opset == 11);
  CHECK(layers_for(config, folder.path() / "new.pt").back().opset == 17);
}

TEST_CASE("the nearest file is found from a folder upwards") {
  const TemporaryFolder folder;
  const auto outer = folder.write("model_validator.toml");
  const auto pyproject = folder.write("a/pyproject.toml", "[tool.model_validator]\nopset = 11\n");
  folder.write("a/b/pyproject.toml", "[project]\nname = \"other\"\n");
  folder.write("c/d/model.pt");
  CHECK(find_config_file(folder.path() / "a" / "b").file == std::filesystem::canonical(pyproject));
  CHECK(find_config_file(folder.path() / "c" / "d").file == std::filesystem::canonical(outer));
  CHECK(find_config_file(folder.path() / "c" / "d").passed_over.empty());
  CHECK(load_config_file(pyproject).layers.back().opset == 11);
}

TEST_CASE("a configuration that was found names nothing outside its folder") {
  const TemporaryFolder folder;
  folder.write("elsewhere/base.toml", "opset = 11\n");
  std::filesystem::create_directories(folder.path() / "repository");
  std::filesystem::create_symlink("../elsewhere/base.toml", folder.path() / "repository/link.toml");
  std::filesystem::create_symlink("../absent.json", folder.path() / "repository/new.json");
  for (const std::string setting :
       {"baseline = \"../known.json\"", "baseline = \"/etc/known.json\"", "baseline = \"new.json\"",
        "baseline = \"a/../../known.json\"", "extend = \"../elsewhere/base.toml\"",
        "extend = \"link.toml\"", "profile = \"../chip.toml\"",
        "profile = [\"a.toml\", \"link.toml\"]", "[fix.source-root]\nsrc = \"../src\"",
        "[[per-file]]\nfiles = \"a.pt\"\nprofile = \"../chip.toml\""}) {
    INFO(setting);
    const auto file = folder.write("repository/model_validator.toml", setting + "\n");
    CHECK_THROWS_WITH(load_config_file(file, ConfigOrigin::found),
                      Contains("outside the folder of this file"));
    CHECK_NOTHROW(load_config_file(file, ConfigOrigin::named));
  }
}

TEST_CASE("what a configuration extends is held to the same") {
  const TemporaryFolder folder;
  folder.write("sub/base.toml", "baseline = \"../known.json\"\n");
  const auto file = folder.write("model_validator.toml", "extend = \"sub/base.toml\"\n");
  CHECK_THROWS_WITH(load_config_file(file, ConfigOrigin::found), Contains("`../known.json`"));
  folder.write("sub/base.toml", "baseline = \"known.json\"\n");
  CHECK(load_config_file(file, ConfigOrigin::found).layers.front().baseline->filename() ==
        "known.json");
}

TEST_CASE("a configuration of another user is passed over, and said so") {
  if (::geteuid() != 0) return; // only root can make one
  const TemporaryFolder folder;
  const auto outer = folder.write("model_validator.toml");
  const auto theirs = folder.write("a/model_validator.toml", "no TOML");
  folder.write("a/pyproject.toml", "[tool.model_validator]\n");
  folder.write("a/b/pyproject.toml", "no TOML");
  for (const char* name : {"a/model_validator.toml", "a/pyproject.toml", "a/b/pyproject.toml"})
    REQUIRE(::chown((folder.path() / name).c_str(), 4711, 4711) == 0);
  const NearestConfig nearest = find_config_file(folder.path() / "a" / "b");
  CHECK(nearest.file == std::filesystem::canonical(outer));
  REQUIRE(nearest.passed_over.size() == 2);
  CHECK_THAT(nearest.passed_over[0], Contains(std::filesystem::canonical(theirs).string()) &&
                                         Contains("belongs to another user"));
}

TEST_CASE("a link of another user is no configuration of ours") {
  if (::geteuid() != 0) return;
  const TemporaryFolder folder;
  folder.write("ours.toml", "fail-on = \"never\"\n");
  const auto link = folder.path() / "model_validator.toml";
  std::filesystem::create_symlink("ours.toml", link);
  CHECK(find_config_file(folder.path()).file.filename() == "model_validator.toml");
  REQUIRE(::lchown(link.c_str(), 4711, 4711) == 0);
  CHECK(find_config_file(folder.path()).passed_over.size() == 1);
}

TEST_CASE("a link out of its folder is no configuration") {
  const TemporaryFolder folder;
  folder.write("secret.toml", "token = 1\n");
  std::filesystem::create_directories(folder.path() / "a");
  std::filesystem::create_symlink("../secret.toml", folder.path() / "a/model_validator.toml");
  const NearestConfig nearest = find_config_file(folder.path() / "a");
  CHECK(nearest.file.empty());
  REQUIRE(nearest.passed_over.size() == 1);
  CHECK_THAT(nearest.passed_over[0], Contains("a link out of its folder"));
}

TEST_CASE("the search ends at a folder that everybody shares") {
  const TemporaryFolder folder;
  folder.write("shared/model_validator.toml");
  folder.write("shared/own/a/m.pt");
  ::chmod((folder.path() / "shared").c_str(), 01777);
  CHECK(find_config_file(folder.path() / "shared" / "own" / "a").file.empty());
  CHECK(find_config_file(folder.path() / "shared").file.empty());
  ::chmod((folder.path() / "shared").c_str(), 0777);
  CHECK_FALSE(find_config_file(folder.path() / "shared" / "own" / "a").file.empty());
}

TEST_CASE("whole numbers are in range") {
  for (const char* opset : {"4294967313", "0", "-1", "1001", "9223372036854775807"})
    CHECK_THAT(failure_of(std::string("opset = ") + opset + "\n").message, Contains("`opset`"));
  CHECK(layer_of("opset = 1000\n").opset == 1000);
}

TEST_CASE("a package name may have very many parts") {
  std::string parts;
  for (int i = 0; i < 500'000; ++i) parts += "a.";
  CHECK(layer_of("[fix]\nmodules = \"" + parts + "b\"").fix_modules == parts + "b");
  CHECK_THAT(failure_of("[fix]\nmodules = \"" + parts + "\"").message,
             Contains("is not a package name"));
}

TEST_CASE("a configuration has at most a megabyte") {
  CHECK_THROWS_WITH(layer_of("# " + std::string(std::size_t{1} << 20, 'x')),
                    Contains("larger than 1 MiB"));
}

TEST_CASE("a table of ours by another name is told") {
  const TemporaryFolder folder;
  folder.write("pyproject.toml", "[tool.model-validator]\nopset = 11\n");
  CHECK_THROWS_WITH(find_config_file(folder.path()),
                    Catch::Contains("[tool.model-validator] is not read"));
}

TEST_CASE("a pyproject.toml is read as far as it is ours") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(load_config_file(folder.write("pyproject.toml", "[project]\n")),
                    Contains("no [tool.model_validator]"));
  CHECK_THROWS_AS(
      load_config_file(folder.write("x/pyproject.toml", "[tool.model_validator]\nx = 1\n")), Error);
}

TEST_CASE("a key of very many parts is refused before it is read, and texts are not keys") {
  std::string dots;
  for (int i = 0; i < 150; ++i) dots += "a.";
  for (const std::string& text : {dots + "a = 1", "[" + dots + "a]", "a = {" + dots + "a = 1}",
                                  "a = \"\"\"\" \"\"\"\n" + dots + "a = 1"})
    CHECK_THAT(failure_of(text).message, Contains("more than a hundred parts"));
  CHECK(layer_of("select = [\"GRA\"] # " + dots +
                 "\n[[suppress]]\nrule = \"reused-modules\"\nmodule = \"" + dots +
                 "\"\nreason = '''" + dots + "'''\n")
            .suppressions.size() == 1);
}
