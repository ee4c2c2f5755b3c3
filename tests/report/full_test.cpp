#include "sample.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using Catch::Contains;
using test::report_with;
using test::reused;
using test::written;

TEST_CASE("a finding is shown with its line, its carets, notes and help") {
  CHECK(written("full", {report_with({reused("layer1.0.relu")})}) ==
        R"(warning[GRA001] reused-modules: module `layer1.0.relu` (ReLU) is called 2 times
   --> resnet.py:101:14
    |
101 |         out = self.relu(out)
    |               ^^^^^^^^^^ second call
    = note: first call at resnet.py:93:14
    = help: give each call its own module

Found 1 warning in 1 model (1 fixable); 0 suppressed.
)");
}

TEST_CASE("modules that share a line are one report") {
  const std::string text =
      written("full", {report_with({reused("layer1.0.relu"), reused("layer1.1.relu")})});
  CHECK_THAT(text, Contains("= note: the same in 1 other module: `layer1.1.relu`"));
  CHECK_THAT(text, Contains("Found 2 warnings in 1 model (2 fixable)"));
  CHECK(text.find("-->") == text.rfind("-->"));
}

TEST_CASE("a finding without a line points at the model") {
  Diagnostic finding = reused("relu");
  finding.locations.clear();
  CHECK_THAT(written("full", {report_with({finding})}), Contains(" --> resnet18.pt\n"));
}

TEST_CASE("a file that cannot be read is an error with a hint") {
  const std::string text = written("full", {test::unreadable()});
  CHECK_THAT(text, Contains("error: a Git LFS pointer, not the file itself\n --> weights.pt\n"
                            "  = help: run `git lfs pull`\n"));
  CHECK_THAT(text, Contains("1 file could not be read"));
}

TEST_CASE("files that cannot be read for the same reason are told once, and named at the end") {
  ModelReport second = test::unreadable();
  second.path = "more.pt";
  second.error =
      Error(second.error->kind(), second.path, second.error->what(), second.error->hint());
  const std::string text = written("full", {test::unreadable(), second});
  CHECK(text.find("--> more.pt") == std::string::npos);
  CHECK_THAT(text, Contains("error: a Git LFS pointer, not the file itself\n --> weights.pt\n"
                            "  = note: the same in 1 other model: more.pt\n"));
  CHECK_THAT(text, Contains("2 files could not be read"));
}

TEST_CASE("on a narrow terminal text wraps under itself") {
  Style narrow;
  narrow.width = 40;
  Diagnostic finding = reused("layer1.0.relu");
  finding.help = "give each call its own module, for AIMET cannot tell them apart";
  const std::string text = written("full", {report_with({finding})}, narrow);
  CHECK_THAT(text, Contains("    = help: give each call its own\n"
                            "            module, for AIMET cannot\n"
                            "            tell them apart\n"));
}

TEST_CASE("names from a model cannot steer the terminal") {
  Diagnostic finding = reused("evil\x1b[2J\n.relu");
  finding.locations[0].source.file = "a\x1b]0;b.py";
  finding.locations[0].code = "x = \x1b[31m";
  finding.notes = {"note \x07"};
  finding.help = "help \x1b";
  for (const char* format : {"full", "concise", "json"}) {
    const std::string text = written(format, {report_with({finding})});
    CHECK(text.find_first_of("\x1b\x07") == std::string::npos);
  }
}

TEST_CASE("colours are there when asked for, and only then") {
  Style colored;
  colored.color = true;
  CHECK_THAT(written("full", {report_with({reused("relu")})}, colored), Contains("\x1b[1;33m"));
  CHECK_THAT(written("full", {report_with({reused("relu")})}), !Contains("\x1b"));
}

TEST_CASE("quiet leaves the summary out, statistics count the rules") {
  Style style;
  style.quiet = true;
  style.statistics = true;
  const std::string text = written("full", {report_with({reused("relu")})}, style);
  CHECK_THAT(text, !Contains("Found"));
  CHECK_THAT(text, Contains("     1  GRA001  reused-modules  (fixable)\n"));
}

TEST_CASE("suppressed findings are shown only when asked for") {
  Diagnostic finding = reused("relu");
  finding.suppressed = Suppression{"config", "agreed with the team"};
  Style style;
  CHECK(written("full", {report_with({finding})}, style) ==
        "Found no problems in 1 model; 1 suppressed.\n");
  style.show_suppressed = true;
  CHECK_THAT(written("full", {report_with({finding})}, style),
             Contains("= note: suppressed by config: agreed with the team"));
}

namespace {

ModelReport judged(const std::string& path, Verdict verdict) {
  ModelReport report = report_with({});
  report.path = path;
  TargetVerdict target;
  target.target = "board";
  target.verdict = verdict;
  target.operators = {{"conv", verdict, 2, {}, {}}};
  if (verdict == Verdict::partly) target.operators.front().conditions = {"its groups are 1"};
  report.verdicts = {target};
  return report;
}

} // namespace

TEST_CASE("of several models, those that a target takes are counted, and the others named") {
  Style style;
  style.many_models = true;
  const std::vector<ModelReport> reports{
      judged("a.pt", Verdict::taken), judged("b.pt", Verdict::taken),
      judged("c.pt", Verdict::partly), judged("d.pt", Verdict::refused)};
  for (const char* format : {"full", "concise"}) {
    const std::string text = written(format, reports, style);
    CHECK_THAT(text, !Contains("a.pt") && !Contains("b.pt"));
    CHECK_THAT(text, Contains("c.pt: board: ") && Contains("d.pt: board: "));
    CHECK_THAT(text, Contains("board: 2 taken, 1 in part, 1 refused of 4\n"));
  }
}

TEST_CASE("a verbose report names every model, and the conditions under which ops are taken") {
  Style style;
  style.many_models = true;
  style.verbose = true;
  const std::string text =
      written("full", {judged("a.pt", Verdict::taken), judged("c.pt", Verdict::partly)}, style);
  CHECK_THAT(text, Contains("a.pt: board: takes all 2 ops"));
  CHECK_THAT(text, Contains("  `conv` (2): its groups are 1\n"));
}

TEST_CASE("a heading or an error is set off from the verdicts before it") {
  Style style;
  style.many_models = true;
  TargetVerdict taken;
  taken.target = "board";
  taken.verdict = Verdict::partly;
  ModelReport clean = report_with({});
  clean.path = "clean.pt";
  clean.verdicts = {taken};
  const ModelReport flawed = report_with({reused("relu")});
  const std::string verdict = "clean.pt: board: has no op to refuse\n";
  CHECK_THAT(written("full", {clean, clean, flawed}, style),
             Contains(verdict + verdict + "\n== resnet18.pt\n\n"));
  CHECK_THAT(written("full", {clean, test::unreadable()}, style), Contains(verdict + "\nerror: "));
  style.quiet = true;
  CHECK_THAT(written("full", {clean, flawed}, style), Catch::StartsWith("== resnet18.pt"));
}
