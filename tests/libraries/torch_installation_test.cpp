#include "libraries/torch_installation.h"
#include "libraries/torch_libraries.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>

using namespace model_validator;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// Adds a package with a file. LibTorch itself is not loaded into this program.
/// @returns its folder of libraries
fs::path add_package(const TemporaryFolder& folder, const std::string& name,
                     const std::string& file, const std::string& content) {
  folder.write(name + "/" + file, content);
  return folder.write(name + "/lib/libtorch_cpu.so", "no library").parent_path();
}

} // namespace

TEST_CASE("a minor version is what comes before the second dot or any letter") {
  CHECK(minor_version("2.13.0+cpu") == "2.13");
  CHECK(minor_version("2.8.0") == "2.8");
  CHECK(minor_version("2.16.0a0+git12ab") == "2.16");
  CHECK(minor_version("2.16") == "2.16");
  CHECK(minor_version("2.16a0") == "2.16");
  CHECK(minor_version("").empty());
}

TEST_CASE("torch is found by its library, with the version that it states itself") {
  const TemporaryFolder folder;
  const auto package =
      add_package(folder, "a", "version.py", "debug = False\n__version__ = '2.9.1+cu128'\n");
  const auto archive = add_package(folder, "b", "build-version", "2.14.0+cpu\n");
  const auto silent = add_package(folder, "c", "README", "2.13.0\n");

  const auto found = find_torch_installations({package, folder.path(), archive, silent});

  REQUIRE(found.size() == 3);
  CHECK(found[0].libraries == package);
  CHECK(found[0].version == "2.9.1+cu128");
  CHECK(found[1].version == "2.14.0+cpu");
  CHECK(found[2].version.empty());
}

TEST_CASE("no torch is looked for where the current folder decides what is found") {
  const TemporaryFolder folder;
  const fs::path libraries = add_package(folder, "a", "version.py", "__version__ = '2.13.0'\n");
  const fs::path relative = fs::proximate(libraries);
  const auto found_by = [](const std::string& path) {
    ::setenv("LD_LIBRARY_PATH", path.c_str(), 1); // NOLINT(concurrency-mt-unsafe)
    const std::size_t found = find_torch_installations({}).size();
    ::unsetenv("LD_LIBRARY_PATH"); // NOLINT(concurrency-mt-unsafe)
    return found;
  };
  REQUIRE(relative.is_relative());
  CHECK(found_by("::" + relative.string() + ":") == 0);
  CHECK(found_by(":" + libraries.string()) == 1);
}

TEST_CASE("a torch that cannot be loaded is reported with the loader's message") {
  const TemporaryFolder folder;
  const auto libraries = add_package(folder, "a", "version.py", "__version__ = '2.13.0'\n");
  CHECK_THAT(load_torch({libraries, "2.13.0"}), Catch::Contains("libtorch_cpu.so"));
}

TEST_CASE("the supported versions are those with installed libraries") {
  REQUIRE_FALSE(served_torch_versions().empty());
  for (const std::string& version : served_torch_versions())
    CHECK(fs::exists(own_folder() / "model_validator" / ("torch-" + version) /
                     "libmodel_validator_torchscript.so"));
  CHECK(is_torch_folder("/usr/lib/model_validator/torch-2.13"));
  CHECK_FALSE(is_torch_folder("/usr/lib/model_validator"));
}
