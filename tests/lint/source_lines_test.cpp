#include "lint/source_lines.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <chrono>
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
  SourcesAtHand({{"/exporter/src", folder.path().string()}}).follow(findings, ignores, "");
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

TEST_CASE("comments are those of the file at hand, and one above a line is told") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "net.py") << "# mv: ignore[a]\ny = relu(x)  # mv: ignore[b]\n";
  const std::string file = "/exporter/src/net.py";
  std::vector<Diagnostic> findings{at(file, "y = relu(x)  # mv: ignore[all]")};
  std::vector<InlineIgnore> ignores{{{"all"}, "", {file, 2, 0, 0}}};
  SourcesAtHand({{"/exporter/src", folder.path().string()}}).follow(findings, ignores, "");
  REQUIRE(ignores.size() == 2);
  CHECK(ignores[0].rules == std::vector<std::string>{"b"});
  CHECK(ignores[1].where.line == 1);
  CHECK_FALSE(ignores[1].mistake.empty());
}

TEST_CASE("a comment that was added since the export is there at once, and changes no line") {
  const TemporaryFolder folder;
  const std::string line = "    y = relu(x)  # mv: ignore[GRA001] one scale";
  std::ofstream(folder.path() / "net.py") << "import torch\n" << line << "\n";
  std::vector<Diagnostic> findings{at("/exporter/src/net.py", "y = relu(x)"),
                                   at("/exporter/src/net.py", "y = relu(x)  # as it was"),
                                   at("/exporter/src/net.py", "y = relu(x + 1)")};
  for (Diagnostic& finding : findings) finding.help = "write something else";
  std::vector<InlineIgnore> ignores;
  SourcesAtHand({{"/exporter/src", folder.path().string()}}).follow(findings, ignores, "");
  CHECK(findings[0].locations[0].code == line);
  CHECK(findings[1].locations[0].code == line);
  CHECK(findings[0].help == "write something else");
  CHECK(findings[0].notes.empty());
  CHECK(findings[2].locations[0].code.empty());
}

TEST_CASE("a line that has changed since the export is left out, with a note") {
  const TemporaryFolder folder;
  CHECK(followed(folder, at("/exporter/src/net.py", "y = relu(x)")).notes.empty());
  const Diagnostic old = followed(folder, at("/exporter/src/net.py", "y = gelu(x)"));
  CHECK(old.locations[0].code.empty());
  REQUIRE(old.notes.size() == 1);
  CHECK_THAT(old.notes[0], Catch::Contains("has changed since the export"));
  CHECK(old.help == "export the model again");
}

TEST_CASE("a file that has changed is told once, and what was proposed for its lines is left out") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "net.py") << "import torch\n    y = relu(x)\n";
  std::vector<Diagnostic> findings{at("/exporter/src/net.py", "y = gelu(x)"),
                                   at("/exporter/src/net.py", "y = silu(x)"),
                                   at("/exporter/src/net.py", "y = relu(x)")};
  for (Diagnostic& finding : findings) finding.help = "write something else";
  std::vector<InlineIgnore> ignores;
  SourcesAtHand({{"/exporter/src", folder.path().string()}})
      .follow(findings, ignores, folder.path() / "net.pt");
  CHECK(findings[0].notes.size() == 1);
  CHECK(findings[0].help == "export the model again");
  CHECK(findings[1].notes.empty());
  CHECK(findings[1].help.empty());
  CHECK(findings[2].help == "write something else");
}

TEST_CASE("source that was written long after a model without its lines is told once") {
  const TemporaryFolder folder;
  const auto net = folder.path() / "net.py";
  const auto model = folder.path() / "net.pt";
  std::ofstream(net) << "import torch\n    y = relu(x)\n";
  std::ofstream(model) << "a trace";
  const auto notes_after = [&](std::chrono::seconds later, const std::string& carried) {
    std::filesystem::last_write_time(net, std::filesystem::last_write_time(model) + later);
    std::vector<Diagnostic> findings{at(net.string(), carried), at(net.string(), carried)};
    std::vector<InlineIgnore> ignores;
    SourcesAtHand({{"/exporter/src", folder.path().string()}}).follow(findings, ignores, model);
    CHECK(findings[1].notes.empty());
    return findings[0].notes.size();
  };
  CHECK(notes_after(std::chrono::hours(1), "") == 1);
  CHECK(notes_after(std::chrono::hours(1), "y = relu(x)") == 0);
  CHECK(notes_after(std::chrono::seconds(1), "") == 0);
  CHECK(notes_after(std::chrono::hours(-1), "") == 0);
}

TEST_CASE("what is not on this machine keeps its path and the line that the model carries") {
  const TemporaryFolder folder;
  const Diagnostic finding = followed(folder, at("/elsewhere/of_nobody.py", "y = gelu(x)"));
  CHECK(finding.locations[0].source.file == "/elsewhere/of_nobody.py");
  CHECK(finding.locations[0].code == "y = gelu(x)");
}

TEST_CASE("the places in a finding's notes move with its source") {
  const TemporaryFolder folder;
  Diagnostic finding = at("/exporter/src/net.py");
  finding.notes = {"first call at /exporter/src/net.py:1",
                   "reached from `/exporter/src/net.py:1:4` and /exporter/src/net.py:2",
                   "a.py: .py:"};
  const std::string net = (folder.path() / "net.py").string();
  CHECK(followed(folder, std::move(finding)).notes ==
        std::vector<std::string>{"first call at " + net + ":1",
                                 "reached from `" + net + ":1:4` and " + net + ":2", "a.py: .py:"});
}

TEST_CASE("source that no root leads to is told once, where roots were given") {
  const TemporaryFolder folder;
  std::vector<Diagnostic> findings{at("/other/of_nobody.py"), at("/other/of_nobody.py")};
  std::vector<InlineIgnore> ignores;
  SourcesAtHand({{"/exporter/src", folder.path().string()}}).follow(findings, ignores, "");
  CHECK(findings[0].notes ==
        std::vector<std::string>{
            "`/other/of_nobody.py` lies beneath no OLD of `--source-root OLD=NEW`"});
  CHECK(findings[1].notes.empty());
  findings.resize(1);
  findings[0].notes.clear();
  SourcesAtHand({}).follow(findings, ignores, "");
  CHECK(findings[0].notes.empty());
}

TEST_CASE("an ignore moves with its file") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "net.py") << "x  # mv: ignore[GRA001]\ny\n";
  std::vector<Diagnostic> findings;
  std::vector<InlineIgnore> ignores{{{"GRA001"}, "", {"/exporter/src/net.py", 1, 0, 0}},
                                    {{"GRA001"}, "", {"/exporter/src/net.py", 2, 0, 0}},
                                    {{"GRA001"}, "", {"/exporter/src/other.py", 1, 0, 0}}};
  SourcesAtHand({{"/exporter/src", folder.path().string()}}).follow(findings, ignores, "");
  REQUIRE(ignores.size() == 1); // those that the model alone holds hide nothing
  CHECK(ignores[0].where.file == (folder.path() / "net.py").string());
}
