#include "sample_report.h"

#include <model_validator/verify/render.h>

#include <catch2/catch.hpp>

using namespace model_validator::verify;
using Catch::Contains;

TEST_CASE("the page may load nothing and run nothing but its own script") {
  const std::string page = render_html(sample::different_report());
  CHECK_THAT(page, Catch::StartsWith("<!doctype html>"));
  CHECK_THAT(page, Contains("default-src 'none'; script-src 'sha256-"));
  CHECK_THAT(page, !Contains("unsafe-inline"));
  CHECK_THAT(page, !Contains(" src=") && !Contains("<link"));
}

TEST_CASE("the page holds the report, and the graph where it is known") {
  const std::string alone = render_html(sample::same_report());
  CHECK_THAT(alone, Contains("data-kind=\"main\">") && !Contains("data-kind=\"graph\" data-model"));
  CHECK_THAT(render_html(sample::same_report(), "{}"),
             Contains("data-kind=\"graph\" data-model=\"0\">"));
}

TEST_CASE("names from a model do not stand in the page's markup") {
  VerifyReport report = sample::different_report();
  report.candidate = "</script><b>model</b>";
  const std::string page = render_html(report);
  CHECK_THAT(page, !Contains("<b>model") && !Contains("<hidden>"));
}
