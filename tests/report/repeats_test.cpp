#include "report/repeats.h"
#include "sample.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::report_with;
using test::reused;
using test::written;

namespace {

ModelReport model(const std::string& path, std::vector<Diagnostic> findings) {
  ModelReport report = report_with(std::move(findings));
  report.path = path;
  return report;
}

Style many() {
  Style style;
  style.many_models = true;
  style.quiet = true;
  return style;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

} // namespace

TEST_CASE("a finding that many models share is reported once and counted at the end") {
  std::vector<ModelReport> reports;
  for (int i = 0; i < 9; ++i)
    reports.push_back(model("net" + std::to_string(i) + ".pt", {reused("relu")}));
  const std::string full = written("full", reports, many());
  CHECK(count(full, "is called 2 times") == 2);
  CHECK(count(full, "help:") == 1);
  CHECK(count(full, "== net") == 1);
  CHECK_THAT(full, Catch::Contains("the same in 8 other models: net1.pt, net2.pt, net3.pt, "
                                   "net4.pt, net5.pt, net6.pt and 2 more"));
  const std::string concise = written("concise", reports, many());
  CHECK(count(concise, "\n") == 2);
  CHECK(count(concise, "the same in 8 other models") == 1);
}

TEST_CASE("with --verbose all models are named") {
  Style style = many();
  style.verbose = true;
  std::vector<ModelReport> reports;
  for (int i = 0; i < 9; ++i)
    reports.push_back(model("net" + std::to_string(i) + ".pt", {reused("relu")}));
  CHECK_THAT(written("full", reports, style), Catch::Contains("net7.pt, net8.pt\n"));
}

TEST_CASE("findings that differ in line, message or help are reported for each model") {
  Diagnostic elsewhere = reused("relu");
  elsewhere.locations[0].source.line = 7;
  Diagnostic advised = reused("relu");
  advised.help = "do something else";
  const std::string text = written("full",
                                   {model("a.pt", {reused("relu")}), model("b.pt", {elsewhere}),
                                    model("c.pt", {advised}), model("d.pt", {reused("gelu")})},
                                   many());
  CHECK(count(text, "is called 2 times") == 4);
  CHECK(count(text, "several models") == 0);
}

TEST_CASE("formats for machines repeat a finding for each model") {
  const std::vector<ModelReport> reports{model("a.pt", {reused("relu")}),
                                         model("b.pt", {reused("relu")})};
  CHECK(count(written("jsonl", reports, many()), "is called 2 times") == 2);
  CHECK(count(written("sarif", reports, many()), "is called 2 times") >= 2);
}

TEST_CASE("a model is no other model than itself") {
  Repeats repeats(0);
  const Diagnostic finding = reused("relu");
  CHECK(repeats.is_fresh(finding, "a.pt"));
  CHECK(repeats.is_fresh(finding, "a.pt"));
  CHECK(repeats.all().empty());
  CHECK(!repeats.is_fresh(finding, "b.pt"));
  CHECK(!repeats.is_fresh(finding, "b.pt"));
  REQUIRE(repeats.all().size() == 1);
  CHECK(repeats.all()[0].models == std::vector<std::string>{"b.pt"});
}
