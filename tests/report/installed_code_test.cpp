#include "connected_graph/code_owners.h"
#include "sample.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace model_validator;
using Catch::Contains;
using test::report_with;
using test::reused;
using test::written;

namespace {

constexpr const char* installed = "/home/a/venv/lib/python3.11/site-packages/timm/layers/norm.py";

/// An operation in the code of an installed package.
Diagnostic in_package(const std::string& type, const std::string& class_name, int line = 12) {
  Diagnostic finding = reused("layer1.0.relu");
  finding.op = OpReference{type + "_3", type};
  finding.locations.front().source = {installed, line, 0, 0};
  Rewrite rewrite;
  rewrite.calls.push_back({finding.locations.front().source, "", class_name, "", 0});
  finding.fix->edits.clear();
  finding.fix->rewrite = rewrite;
  return finding;
}

std::string package_of(const std::string& file) {
  Diagnostic finding = reused("relu");
  finding.locations.front().source.file = file;
  return CodeOwners({finding}).package_of(finding);
}

} // namespace

TEST_CASE("the package of a file is known by its path, whatever machine it is from") {
  CHECK(package_of("/usr/lib/python3/dist-packages/timm/layers/norm.py") == "timm");
  CHECK(package_of("C:\\Python\\Lib\\site-packages\\timm\\layers\\norm.py") == "timm");
  CHECK(package_of("/a/site-packages/single.py") == "single");
  CHECK(package_of("/a/site-packages/timm-1.0-py3.11.egg/timm/norm.py") == "timm");
  CHECK(package_of("/src/pytorch/torch/nn/functional.py") == "torch");
  CHECK(package_of("/home/a/site-packages-of-mine/net.py").empty());
  CHECK(package_of("/home/a/timm/layers/norm.py").empty());
  CHECK(package_of("net.py").empty());
}

TEST_CASE("what stands in an installed package is told once for each rule and package") {
  const std::string text =
      written("full", {report_with({in_package("add", "timm.layers.Block"),
                                    in_package("add", "timm.layers.Block", 40),
                                    in_package("mul", "timm.layers.Gate"), reused("mine.relu")})});
  CHECK_THAT(text, Contains("reused-modules: 3 findings in the installed package `timm`"));
  CHECK_THAT(text, Contains("calls of `add` (2), `mul` (1), in `Block`, `Gate`"));
  CHECK_THAT(text, Contains("copy or subclass"));
  CHECK_THAT(text, Contains("module `mine.relu` (ReLU) is called 2 times"));
  CHECK_THAT(text, !Contains("norm.py"));
  CHECK_THAT(text, Contains("Found 4 warnings"));
}

TEST_CASE("the counts of what is called add up to the number of findings") {
  std::vector<Diagnostic> findings;
  for (const char* type : {"a", "a", "b", "c", "d", "e", "f", "g", "g"})
    findings.push_back(in_package(type, "timm.layers.Block"));
  findings.push_back(in_package("a", "timm.layers.Block"));
  findings.back().op.reset();
  const std::string text = written("full", {report_with(findings)});
  CHECK_THAT(text, Contains("10 findings in the installed package"));
  CHECK_THAT(text, Contains("calls of `a` (2), `g` (2), `b` (1), `c` (1), `d` (1) and 3 others"));
}

TEST_CASE("what an exporter wrote wrongly is told by its message, whoever wrote the code") {
  Diagnostic wrong = in_package("add", "timm.layers.Block");
  wrong.code = "SER004";
  wrong.rule = "invalid-node";
  wrong.message = "`add` takes float16 and float32";
  Diagnostic other = wrong;
  other.locations.front().source.line = 40;
  CHECK_THAT(written("full", {report_with({wrong, other})}),
             Contains("`add` takes float16 and float32; 1 more like it in the installed package"));
}

TEST_CASE("all models of a run share what is told of a package") {
  ModelReport other = report_with({in_package("add", "timm.layers.Block")});
  other.path = "other.pt";
  const std::string text =
      written("concise", {report_with({in_package("add", "timm.layers.Block")}), other});
  CHECK_THAT(text, Contains("2 findings in the installed package `timm`"));
  CHECK(text.find("timm") == text.rfind("timm"));
}

TEST_CASE("a verbose report shows every finding of a package") {
  Style style;
  style.verbose = true;
  const std::string text =
      written("full", {report_with({in_package("add", "timm.layers.Block")})}, style);
  CHECK_THAT(text, Contains("norm.py:12"));
  CHECK_THAT(text, !Contains("installed package"));
}

TEST_CASE("annotations and test reports tell it once as well") {
  const std::vector<ModelReport> reports{report_with(
      {in_package("add", "timm.layers.Block"), in_package("mul", "timm.layers.Block", 40)})};
  CHECK_THAT(written("github", reports),
             Contains("file=resnet18.pt,title=GRA001 reused-modules::2 findings in the installed"));
  CHECK_THAT(written("junit", reports), Contains("2 findings in the installed package"));
}

TEST_CASE("machines get every finding, with the package whose code it is") {
  const std::vector<ModelReport> reports{report_with(
      {in_package("add", "timm.layers.Block"), in_package("mul", "timm.layers.Block", 40)})};
  const std::string json = written("json", reports);
  CHECK_THAT(json, Contains("\"package\": \"timm\""));
  CHECK(json.find("norm.py") != json.rfind("norm.py"));
  CHECK_THAT(written("sarif", reports), Contains("\"package\": \"timm\""));
  CHECK_THAT(written("json", {report_with({reused("relu")})}), Contains("\"package\": null"));
}

TEST_CASE("what a target refuses in a package is told by its message") {
  Diagnostic refused = in_package("roll", "timm.layers.Block");
  refused.rule = "unsupported-ops";
  refused.code = "TGT001";
  refused.message = "operator `aten::roll` cannot be compiled for `board`";
  refused.help = "use `torch.cat`";
  refused.fix.reset();
  const std::string text = written("full", {report_with({refused, refused})});
  CHECK_THAT(text, Contains("operator `aten::roll` cannot be compiled for `board`; 2 times in the "
                            "installed package `timm`"));
  CHECK_THAT(text, Contains("help: use `torch.cat`"));
  CHECK_THAT(text, Contains("note: at timm/layers/norm.py:12"));
  refused.locations.front().source.line = 40;
  CHECK_THAT(written("full", {report_with({refused, in_package("add", "timm.layers.Block"), refused,
                                           in_package("add", "timm.layers.Block")})}),
             Contains("note: at timm/layers/norm.py:40"));
  Diagnostic other = refused;
  other.locations.front().source.line = 12;
  CHECK_THAT(written("concise", {report_with({refused, other})}),
             Contains("(at timm/layers/norm.py:12 and 1 more)"));
}

TEST_CASE("modules of a package that are in training mode are named") {
  Diagnostic finding = in_package("batch_norm", "timm.layers.BatchNormAct2d");
  finding.rule = "training-mode";
  finding.help = "call `model.eval()`";
  finding.fix.reset();
  CHECK_THAT(written("full", {report_with({finding})}), Contains("note: module `layer1.0.relu`"));
  Diagnostic other = finding;
  other.module = "head.norm";
  CHECK_THAT(written("full", {report_with({finding, other})}),
             Contains("note: modules `head.norm`, `layer1.0.relu`"));
}

TEST_CASE("a single finding in a package has its line") {
  const std::string text =
      written("full", {report_with({in_package("if", "timm.layers.Block", 7)})});
  CHECK_THAT(text, Contains(", in the installed package `timm`"));
  CHECK_THAT(text, !Contains("1 finding") && Contains("note: at timm/layers/norm.py:7"));
}

TEST_CASE("paths of another machine are in no annotation and no SARIF") {
  Diagnostic finding = reused("relu");
  finding.locations.front().source.file = "/home/exporter/project/net.py";
  for (const char* format : {"github", "sarif"}) {
    const std::string text = written(format, {report_with({finding})});
    CHECK_THAT(text, !Contains("/home/exporter"));
    CHECK_THAT(text, Contains("net.py:101`, which is not on this machine"));
  }
}

TEST_CASE("what does not count is one line for each rule and package, and fails no run") {
  Diagnostic excused = in_package("add", "timm.layers.Block");
  excused.excused = true;
  Diagnostic other = in_package("add", "timm.layers.Block", 40);
  other.excused = true;
  const ModelReport report = report_with({excused, other});
  const std::string text = written("full", {report});
  CHECK_THAT(text, Contains("in installed packages, which do not count"));
  CHECK_THAT(text, Contains("  warning[GRA001] reused-modules: 2 findings in the installed package "
                            "`timm`: calls of `add` (2), in `Block`\n"));
  CHECK_THAT(text, Contains("Found no problems in 1 model; 0 suppressed; 2 in installed packages, "
                            "which do not count."));
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
  CHECK_THAT(written("concise", {report}), Contains("which do not count"));
  Style quiet;
  quiet.quiet = true;
  CHECK(written("full", {report}, quiet).empty());
  CHECK_THAT(written("github", {report}), !Contains("::warning"));
  CHECK_THAT(written("sarif", {report}), Contains("\"level\": \"note\""));
  CHECK_THAT(written("json", {report}), Contains("\"excused\": \"installed-code\""));
}
