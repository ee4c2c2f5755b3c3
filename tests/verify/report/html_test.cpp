#include "sample_report.h"

#include <model_validator/verify/render.h>

#include <catch2/catch.hpp>

#include <regex>

using namespace model_validator::verify;
using Catch::Contains;

TEST_CASE("the page needs nothing but itself") {
  const std::string page = render_html(sample::different_report());
  CHECK_THAT(page, Catch::StartsWith("<!doctype html>"));
  CHECK_FALSE(std::regex_search(page, std::regex("(https?:|src=|href=|url\\(|@import|<script)")));
  CHECK_THAT(page, Contains("default-src 'none'"));
}

TEST_CASE("the page shows verdicts, worst elements, histograms and ops") {
  const std::string page = render_html(sample::different_report());
  CHECK_THAT(page, Contains(">different</span>"));
  CHECK_THAT(page, Contains("histogram of the errors of logits"));
  CHECK_THAT(page, Contains("(1, 234)"));
  CHECK_THAT(page, Contains("The first op that differs is conv2d_70 (layer2) at resnet.py:160."));
  CHECK_THAT(page, Contains("--rtol 8.4e-02"));
  CHECK_THAT(render_html(sample::same_report()), Contains(">same</span>"));
}

TEST_CASE("names from a model are text, never markup") {
  VerifyReport report = sample::different_report();
  report.candidate = "</title><b>model</b>";
  const std::string page = render_html(report);
  CHECK(page.find("<b>model") == std::string::npos);
  CHECK(page.find("<hidden>") == std::string::npos);
  CHECK_THAT(page, Contains("&lt;hidden&gt;"));
}

TEST_CASE("an empty report is also a page") {
  CHECK_THAT(render_html({}), Contains("nothing was compared"));
}
