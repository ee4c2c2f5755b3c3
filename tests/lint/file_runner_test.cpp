#include "lint/file_runner.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::TemporaryFolder;

namespace {

FileTask task(const std::string& name) {
  return {{name, name, {}}, std::make_shared<const Settings>()};
}

} // namespace

TEST_CASE("files that cannot be read become errors, one each") {
  const TemporaryFolder folder;
  const auto empty = folder.write("empty.pt").string();
  const auto missing = (folder.path() / "missing.pt").string();
  std::vector<FileResult> results;
  for (const auto& file : {missing, empty}) results.push_back(lint_file(task(file), {}));
  REQUIRE(results.size() == 2);
  for (const FileResult& result : results) {
    CHECK(result.report.status == ModelStatus::error);
    CHECK_FALSE(result.fault);
  }
  CHECK(results[0].report.error->path() == missing);
  CHECK(results[1].report.error->path() == empty);
}

TEST_CASE("a name without a file keeps its own error") {
  FileTask nothing = task("*.pt");
  nothing.file.error = Error(ErrorKind::not_found, "*.pt", "no file matches the pattern");
  const FileResult result = lint_file(nothing, {});
  CHECK(result.report.error->kind() == ErrorKind::not_found);
  CHECK(result.settings == nothing.settings);
}
