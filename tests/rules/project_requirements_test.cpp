#include "rules/project_requirements.h"
#include "support/temporary_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

namespace {

Names required(const std::string& text) {
  const TemporaryFolder folder;
  Names names;
  for (const Requirement& each : requirements_of(folder.write("pyproject.toml", text)))
    names.push_back(each.text);
  return names;
}

} // namespace

TEST_CASE("requirements are read where projects list them") {
  CHECK(required("[project]\ndependencies = [\"openvino>=2026\"]\n") == Names{"openvino>=2026"});
  CHECK(required("[project.optional-dependencies]\nexport = [\"onnx\", \"nncf\"]\n") ==
        Names{"onnx", "nncf"});
  CHECK(required("[dependency-groups]\ndev = [\"torchao\", {include-group = \"x\"}]\n") ==
        Names{"torchao"});
  CHECK(required("[tool.poetry.dependencies]\npython = \"^3.10\"\n"
                 "coremltools = {version = \"9\", optional = true}\n") ==
        Names{"coremltools", "python"});
  CHECK(required("[tool.uv]\ndev-dependencies = [\"tensorrt\"]\n") == Names{"tensorrt"});
}

TEST_CASE("each has its line") {
  const TemporaryFolder folder;
  const auto found = requirements_of(
      folder.write("pyproject.toml", "[project]\ndependencies = [\n  \"a\",\n  \"b\",\n]\n"));
  REQUIRE(found.size() == 2);
  CHECK(found[1].line == 4);
}

TEST_CASE("what only names packages is no requirement") {
  CHECK(required("[project]\nname = \"openvino\"\nkeywords = [\"openvino\"]\n").empty());
  CHECK(required("[build-system]\nrequires = [\"setuptools\"]\n").empty());
}

TEST_CASE("a file that is no TOML is an error with its line") {
  CHECK_THROWS_AS(required("[project\n"), Error);
}
