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
  CHECK_THAT(written("full", {report_with({finding})}),
             Contains(" --> resnet18.pt: op `relu_7`\n"));
  CHECK_THAT(written("concise", {report_with({finding})}),
             Contains("resnet18.pt: op `relu_7`: warning[GRA001]"));
  finding.op.reset();
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
    CHECK_THAT(text, Contains("board: 2 taken, 1 taken under conditions, 1 refused of 4\n"));
  }
}

TEST_CASE("a verbose report names every model, and the conditions under which ops are taken") {
  Style style;
  style.many_models = true;
  style.verbose = true;
  const std::string text =
      written("full", {judged("a.pt", Verdict::taken), judged("c.pt", Verdict::partly)}, style);
  CHECK_THAT(text, Contains("a.pt: board: takes all 2 ops"));
  CHECK_THAT(text, Contains("c.pt: board: takes all 2 ops; 2 depend on what the file does not say\n"
                            "  `conv` (2): its groups are 1\n"));
}

namespace {

/// A target that takes ops under conditions: so many operators, each called once.
TargetVerdict conditional(std::size_t operators) {
  TargetVerdict target;
  target.target = "board";
  target.verdict = Verdict::partly;
  target.operators = {{"relu", Verdict::taken, 3, {}, {}}};
  for (std::size_t i = 0; i < operators; ++i)
    target.operators.push_back(
        {"op" + std::to_string(i), Verdict::partly, 1, {"its rank is 4"}, {}});
  return target;
}

std::string line_on(const TargetVerdict& target) {
  ModelReport report = report_with({});
  report.verdicts = {target};
  const std::string text = written("full", {report});
  return text.substr(0, text.find('\n'));
}

} // namespace

TEST_CASE("ops that are taken under conditions are taken, and the first conditions are named") {
  CHECK(line_on(conditional(1)) == "board: takes all 4 ops; 1 depends on what the file does not "
                                   "say: `op0`: its rank is 4");
  CHECK(line_on(conditional(2)) == "board: takes all 5 ops; 2 depend on what the file does not "
                                   "say: `op0`: its rank is 4; `op1`: its rank is 4");
  CHECK(line_on(conditional(4)) ==
        "board: takes all 7 ops; 4 depend on what the file does not say: `op0`: its rank is 4; "
        "`op1`: its rank is 4; and 2 more; `-v` lists them all");
  TargetVerdict target = conditional(1);
  target.operators.back().conditions.push_back("its dtype is float32");
  CHECK_THAT(line_on(target), Catch::EndsWith("`op0`: its rank is 4; `-v` lists them all"));
}

TEST_CASE("conditions are told beside what falls back, not beside what is refused") {
  TargetVerdict target = conditional(1);
  target.operators.push_back({"erfinv", Verdict::refused, 1, {}, {}});
  target.verdict = Verdict::refused;
  CHECK(line_on(target) == "board: refuses 1 of 5 ops");
  target.falls_back = true;
  target.verdict = Verdict::partly;
  CHECK_THAT(line_on(target),
             Catch::StartsWith("board: takes 4 of 5 ops; 1 falls back; 1 depends"));
}

namespace {

ModelReport found_in(const std::string& path, std::size_t findings) {
  std::vector<Diagnostic> all;
  for (std::size_t i = 0; i < findings; ++i) {
    all.push_back(reused("layer" + std::to_string(i)));
    all.back().locations.front().source.line += static_cast<int>(i);
  }
  ModelReport report = report_with(std::move(all));
  report.path = path;
  return report;
}

Style ungated() {
  Style style;
  style.notice = "judged for something";
  style.grouped_rules = {"reused-modules"};
  return style;
}

std::size_t count_of(const std::string& what, const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

constexpr const char* headline = "warning[GRA001] reused-modules: ";

} // namespace

TEST_CASE("what nobody chose is said first") {
  for (const char* format : {"full", "concise"})
    CHECK_THAT(written(format, {found_in("a.pt", 1)}, ungated()),
               Catch::StartsWith("judged for something\n"));
  Style quiet = ungated();
  quiet.quiet = true;
  CHECK_THAT(written("full", {found_in("a.pt", 1)}, quiet), !Contains("judged"));
  CHECK_THAT(written("full", {test::unreadable()}, ungated()), !Contains("judged"));
}

TEST_CASE("more than ten findings of a grouped rule are told in a line") {
  const std::string ten = written("full", {found_in("a.pt", 10)}, ungated());
  CHECK(count_of(headline, ten) == 10);
  CHECK_THAT(ten, Contains("-->") && !Contains("--select"));
  const std::string eleven = written("full", {found_in("a.pt", 11)}, ungated());
  CHECK(count_of(headline, eleven) == 1);
  CHECK_THAT(eleven, Contains("  warning[GRA001] reused-modules: 11 findings, such as "
                              "resnet.py:101:14: module `layer0` (ReLU) is called 2 times\n"));
  CHECK_THAT(eleven, Contains("`-v`") && Contains("`--select RULE`") && Contains("Found 11 warn"));
}

TEST_CASE("they are counted over a whole run, and others are told as ever") {
  Style style = ungated();
  style.many_models = true;
  Diagnostic other = reused("layer");
  other.rule = "training-mode";
  ModelReport second = found_in("b.pt", 6);
  second.findings.push_back(other);
  const std::string text = written("full", {found_in("a.pt", 5), second}, style);
  CHECK_THAT(text, Contains("reused-modules: 11 findings in 2 models, such as"));
  CHECK_THAT(text, Contains("== b.pt") && Contains("training-mode: ") && !Contains("== a.pt"));
}

TEST_CASE("while they are few they stand with their models, and repeats are counted") {
  Style style = ungated();
  style.many_models = true;
  const std::string text =
      written("full", {found_in("a.pt", 1), found_in("b.pt", 1), found_in("c.pt", 2)}, style);
  CHECK_THAT(text, Contains("== a.pt") && !Contains("== b.pt") && Contains("== c.pt"));
  CHECK_THAT(text, Contains("the same in 2 other models"));
}

TEST_CASE("a verbose report, a suppressed finding and other formats group nothing") {
  Style verbose = ungated();
  verbose.verbose = true;
  CHECK(count_of(headline, written("full", {found_in("a.pt", 11)}, verbose)) == 11);
  CHECK(count_of(headline, written("concise", {found_in("a.pt", 11)}, ungated())) == 11);
  CHECK(count_of("\"reused-modules\"", written("json", {found_in("a.pt", 11)}, ungated())) >= 11);
  ModelReport report = found_in("a.pt", 11);
  for (Diagnostic& finding : report.findings) finding.suppressed = Suppression{"config", "known"};
  CHECK_THAT(written("full", {report}, ungated()), !Contains("reused-modules"));
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
