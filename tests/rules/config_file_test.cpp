#include "rules/config_file.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

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
  CHECK(find_config_file(folder.path() / "a" / "b") == std::filesystem::canonical(pyproject));
  CHECK(find_config_file(folder.path() / "c" / "d") == std::filesystem::canonical(outer));
  CHECK(load_config_file(pyproject).layers.back().opset == 11);
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
