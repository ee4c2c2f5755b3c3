#include "lint/source_lines.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <fstream>

using namespace model_validator;
using test::TemporaryFolder;

namespace {

Diagnostic at(const std::string& file, const std::string& carried = "") {
  Diagnostic finding;
  finding.locations = {{{file, 2, 0, 0}, "", "call", carried}};
  return finding;
}

/// What becomes of a finding whose source moved from `/exporter/src` to a folder of this machine.
Diagnostic followed(const TemporaryFolder& folder, Diagnostic finding) {
  std::ofstream(folder.path() / "net.py") << "import torch\n    y = relu(x)\n";
  std::vector<Diagnostic> findings{std::move(finding)};
  std::vector<InlineIgnore> ignores;
  SourcesAtHand({{"/exporter/src", folder.path().string()}}).follow(findings, ignores);
  return findings.front();
}

} // namespace

TEST_CASE("source that moved is found under its new root") {
  const TemporaryFolder folder;
  const Diagnostic finding = followed(folder, at("/exporter/src/net.py"));
  CHECK(finding.locations[0].source.file == (folder.path() / "net.py").string());
  CHECK(finding.locations[0].code == "    y = relu(x)");
  CHECK(finding.notes.empty());
}

TEST_CASE("a line that has changed since the export is left out, with a note") {
  const TemporaryFolder folder;
  CHECK(followed(folder, at("/exporter/src/net.py", "y = relu(x)")).notes.empty());
  const Diagnostic old = followed(folder, at("/exporter/src/net.py", "y = gelu(x)"));
  CHECK(old.locations[0].code.empty());
  REQUIRE(old.notes.size() == 1);
  CHECK_THAT(old.notes[0], Catch::Contains("has changed since the export"));
}

TEST_CASE("what is not on this machine keeps its path and the line that the model carries") {
  const TemporaryFolder folder;
  const Diagnostic finding = followed(folder, at("/elsewhere/of_nobody.py", "y = gelu(x)"));
  CHECK(finding.locations[0].source.file == "/elsewhere/of_nobody.py");
  CHECK(finding.locations[0].code == "y = gelu(x)");
}

TEST_CASE("an ignore moves with its file") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "net.py") << "x\n";
  std::vector<Diagnostic> findings;
  std::vector<InlineIgnore> ignores{{{"GRA001"}, "", {"/exporter/src/net.py", 1, 0, 0}}};
  SourcesAtHand({{"/exporter/src", folder.path().string()}}).follow(findings, ignores);
  CHECK(ignores[0].where.file == (folder.path() / "net.py").string());
}
