#include "report/markdown_text.h"
#include "sample.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using Catch::Contains;
using test::report_with;
using test::reused;
using test::written;

TEST_CASE("the summary in Markdown has a row for each model and a line for each cause") {
  const std::string text =
      written("markdown", {report_with({reused("layer1.0.relu"), reused("layer1.1.relu")}),
                           test::unreadable()});
  CHECK_THAT(text, Catch::StartsWith("### 2 findings in 1 model\n"));
  CHECK_THAT(text, Contains("| `resnet18.pt` | 0 | 2 | 0 | 0 |\n"));
  CHECK_THAT(text, Contains("| `weights.pt` could not be read: a Git LFS pointer"));
  CHECK_THAT(text, Contains("- **warning** `reused-modules` `resnet.py:101:14` module "
                            "`layer1.0.relu` (ReLU) is called"));
  CHECK_THAT(text, Contains("the same in 1 other module"));
}

TEST_CASE("the summary in Markdown says what remains of a baseline") {
  Diagnostic known = reused("layer1.1.relu");
  known.suppressed = Suppression{"baseline", ""};
  const std::string text = written("markdown", {report_with({reused("layer1.0.relu"), known})});
  CHECK_THAT(text, Catch::StartsWith("### 1 new finding in 1 model\n"));
  CHECK_THAT(text, Contains("| 1 | 0 | 1 |\n"));
}

TEST_CASE("the summary in Markdown has a column for each target") {
  ModelReport report = report_with({});
  report.verdicts.resize(1);
  report.verdicts[0].target = "openvino";
  report.verdicts[0].verdict = Verdict::partly;
  report.verdicts[0].operators = {{"cat", Verdict::partly, 2, {"its rank is 4"}, {}}};
  const std::string text = written("markdown", {report});
  CHECK_THAT(text, Contains("| model | errors | warnings | info | known | openvino |\n"));
  CHECK_THAT(text, Contains("| 0 | 0 | 0 | 0 | takes all 2 ops; 2 depend on what the file does not "
                            "say: `cat` (2): its rank is 4 |\n"));
}

TEST_CASE("the summary in Markdown says what nobody chose, and groups it") {
  Style style;
  style.notice = "judged for something";
  style.grouped_rules = {"reused-modules"};
  std::vector<Diagnostic> findings;
  for (int i = 0; i < 11; ++i) {
    findings.push_back(reused("layer" + std::to_string(i)));
    findings.back().locations.front().source.line += i;
  }
  const std::string text = written("markdown", {report_with(findings)}, style);
  CHECK_THAT(text, Contains("### 11 findings in 1 model\n\njudged for something\n"));
  CHECK_THAT(text, Contains("- **warning** `reused-modules` 11 findings, such as"));
  findings.pop_back();
  CHECK_THAT(written("markdown", {report_with(findings)}, style),
             Contains("`resnet.py:110:14`") && !Contains("such as"));
}

TEST_CASE("a report in Markdown is readable as text") {
  Diagnostic finding = reused("layer1_0.relu");
  finding.help = "write `self.relu_2 = nn.ReLU()` in `__init__`, and call it (here)";
  const std::string text = written("markdown", {report_with({finding})});
  CHECK_THAT(text, !Contains("&#"));
  CHECK_THAT(text, Contains("help: " + finding.help + "\n"));
}

TEST_CASE("names from a model are no Markdown") {
  Diagnostic finding = reused("relu");
  finding.message = "`a` | <b>b</b> @someone #12 https://example.org ![x](y) www.a.b\n# title";
  const std::string text = written("markdown", {report_with({finding})});
  CHECK_THAT(text, Contains("`a` `|` `<b>b</b>` `@someone` `#12` `https://example.org` `![x](y)` "
                            "`www.a.b\\x0a#` title"));
}

TEST_CASE("backticks in a name from a model end no code") {
  CHECK(markdown_code("a`b|c", MarkdownPlace::cell) == "``a`b\\|c``");
  CHECK(markdown_code("`") == "`` ` ``");
  CHECK(markdown_text("`x`y`<img>") == "`x` ``y`<img>``");
}
