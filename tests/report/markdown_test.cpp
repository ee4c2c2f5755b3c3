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
  CHECK_THAT(text, Contains("| <code>resnet18.pt</code> | 0 | 2 | 0 | 0 |\n"));
  CHECK_THAT(text, Contains("| <code>weights.pt</code> could not be read: a Git LFS pointer"));
  CHECK_THAT(text, Contains("- **warning** <code>reused-modules</code> "
                            "<code>resnet.py&#58;101&#58;14</code> module"));
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
  const std::string text = written("markdown", {report});
  CHECK_THAT(text, Contains("| model | errors | warnings | info | known | openvino |\n"));
  CHECK_THAT(text, Contains("| 0 | 0 | 0 | 0 | taken in part |\n"));
}

TEST_CASE("names from a model are no Markdown") {
  Diagnostic finding = reused("relu");
  finding.message = "`a` | <b>b</b> @someone #12 https://example.org ![x](y)\n# title";
  const std::string text = written("markdown", {report_with({finding})});
  for (const char* mark : {"`a`", "| <b>", "@someone", " #12", "https://", "![", "\n# title"})
    CHECK_THAT(text, !Contains(mark));
  CHECK_THAT(text, Contains("&#64;someone"));
}
