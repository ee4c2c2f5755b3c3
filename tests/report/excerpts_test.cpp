#include "report/excerpts.h"
#include "sample.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fstream>

using namespace model_validator;
using nlohmann::json;

namespace {

/// Twenty lines, `line 1` and so on.
std::filesystem::path source_in(const std::filesystem::path& folder) {
  std::ofstream file(folder / "model.py");
  for (int line = 1; line <= 20; ++line) file << "line " << line << '\n';
  return folder / "model.py";
}

Diagnostic finding_at(const std::string& file, int line) {
  Diagnostic finding = test::reused("relu");
  finding.locations = {{{file, line, 0, 4}, "", "call", "line " + std::to_string(line)}};
  finding.fix->edits.clear();
  return finding;
}

json excerpts(const std::vector<Diagnostic>& findings, const std::filesystem::path& root) {
  return json::parse(excerpts_json(findings, {root}))["excerpts"];
}

} // namespace

TEST_CASE("lines around findings are excerpts, those that meet are one") {
  const test::TemporaryFolder folder;
  const std::string file = source_in(folder.path()).string();
  const json found = excerpts({finding_at(file, 2), finding_at(file, 10)}, folder.path());
  REQUIRE(found.size() == 1);
  CHECK(found[0]["first"] == 1);
  CHECK(found[0]["lines"].size() == 15);
  CHECK(found[0]["lines"][9] == "line 10");
  CHECK(excerpts({finding_at(file, 1), finding_at(file, 20)}, folder.path()).size() == 2);
}

TEST_CASE("an excerpt shows no file that is not source, and none whose line is not shown") {
  const test::TemporaryFolder folder;
  const std::string file = source_in(folder.path()).string();
  const test::TemporaryFolder other;
  const json outside = excerpts({finding_at(file, 10)}, other.path());
  REQUIRE(outside.size() == 1);
  CHECK(outside[0]["lines"] == json{"line 10"});
  Diagnostic hidden = finding_at(file, 10);
  hidden.locations[0].code.clear();
  CHECK(excerpts({hidden}, folder.path()).empty());
}

TEST_CASE("lines around edits are excerpts too") {
  const test::TemporaryFolder folder;
  const std::string file = source_in(folder.path()).string();
  Diagnostic finding = finding_at(file, 1);
  finding.fix->edits = {{file, {18, 0}, {18, 0}, "x"}};
  const json found = excerpts({finding}, folder.path());
  REQUIRE(found.size() == 2);
  CHECK(found[1]["first"] == 13);
  CHECK(found[1]["lines"].size() == 8);
}
