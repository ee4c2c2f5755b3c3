#include "fixes/python/user_files.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("our own configuration says nothing about what a project's modules are used for") {
  const test::TemporaryFolder folder;
  const std::string ours = "[[suppress]]\nmodule = \"relu\"\n";
  folder.write("model_validator.toml", ours);
  folder.write("other.toml", ours);
  folder.write("pyproject.toml", "[tool.model_validator]\nignore = [\"GRA\"]\n"
                                 "[[tool.model_validator.suppress]]\nmodule = \"relu\"\n"
                                 "[tool.model_validators]\nlayer = \"gelu\"\n");
  const std::string root = folder.path().string();
  auto others = fixes::UserFiles({{root, root}}).others();
  const auto text_of = [&](const char* name) { return others[(folder.path() / name).string()]; };
  CHECK(text_of("model_validator.toml").empty());
  CHECK(text_of("other.toml") == ours);
  CHECK_THAT(text_of("pyproject.toml"), !Catch::Contains("relu"));
  CHECK_THAT(text_of("pyproject.toml"),
             Catch::Contains("[tool.model_validators]\nlayer = \"gelu\"\n"));
  CHECK(std::ranges::count(text_of("pyproject.toml"), '\n') == 6); // lines keep their numbers
}
