#include "lint/file_runner.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::TemporaryFolder;

namespace {

FileRun run_with_defaults() {
  FileRun run;
  run.settings = [](const NamedFile&) { return std::make_shared<const Settings>(); };
  return run;
}

} // namespace

TEST_CASE("files that cannot be read become errors, one each, in order") {
  const TemporaryFolder folder;
  const auto empty = folder.write("empty.pt").string();
  const auto missing = (folder.path() / "missing.pt").string();
  std::vector<FileResult> results;
  lint_files(expand_inputs({missing, empty}), run_with_defaults(), {},
             [&](FileResult result) { results.push_back(std::move(result)); });
  REQUIRE(results.size() == 2);
  for (const FileResult& result : results) {
    CHECK(result.report.status == ModelStatus::error);
    CHECK_FALSE(result.fault);
  }
  CHECK(results[0].report.error->path() == missing);
  CHECK(results[1].report.error->path() == empty);
}

TEST_CASE("settings that cannot be had are that file's error") {
  FileRun run;
  run.settings = [](const NamedFile&) -> std::shared_ptr<const Settings> {
    throw Error("bad-config", "model_validator.toml", "unknown key `selct`");
  };
  const FileResult result = lint_file({"a.pt", "a.pt", {}}, run);
  CHECK(result.report.error->kind() == "bad-config");
  CHECK(result.report.error->path() == "model_validator.toml");
}

TEST_CASE("a fault of the tool is told from a fault of the file") {
  FileRun run;
  run.settings = [](const NamedFile&) -> std::shared_ptr<const Settings> {
    throw std::logic_error("cannot be");
  };
  CHECK(lint_file({"a.pt", "a.pt", {}}, run).fault);
}
