#include "sample_report.h"

#include <model_validator/verify/render.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace model_validator::verify;
using nlohmann::json;

TEST_CASE("the report is data under a named schema") {
  const json report = json::parse(render_json(sample::same_report()));
  CHECK(report["schema"] == "model_validator-verify/1");
  CHECK(report["passed"] == true);
  CHECK(report["first_failure"].is_null());
  const json& logits = report["outputs"][0];
  CHECK(logits["name"] == "logits");
  CHECK(logits["reference"]["shape"] == json({4, 1000}));
  CHECK(logits["metrics"]["elements"] == 4000);
  CHECK(logits["metrics"]["max_ulp"].is_number_unsigned());
  CHECK(report["outputs"][1]["metrics"]["max_ulp"].is_null());
}

TEST_CASE("every verdict, incident, op and worst element is in it") {
  const json report = json::parse(render_json(sample::different_report()));
  CHECK(report["passed"] == false);
  CHECK(report["first_failure"].get<std::string>().rfind("Number of outputs", 0) == 0);
  CHECK(report["incidents"].size() == 2);
  CHECK(report["ops"].size() == 120);
  CHECK(report["ops"][70]["first_divergent"] == true);
  CHECK(report["ops"][0]["introduced"].is_null());
  const json& logits = report["outputs"][0];
  CHECK(logits["metrics"]["worst"][0]["index"] == json({1, 234}));
  CHECK(logits["metrics"]["candidate_non_finite"]["nan"] == 1);
  CHECK(report["outputs"][2]["candidate"].is_null());
}

TEST_CASE("numbers that JSON does not have are spelled out") {
  const json report = json::parse(render_json(sample::different_report()));
  CHECK(report["outputs"][0]["metrics"]["non_finite_samples"][0]["candidate"] == "nan");
}

TEST_CASE("the histogram lists what it counted, once") {
  const json report = json::parse(render_json(sample::same_report()));
  const json& histogram = report["outputs"][0]["metrics"]["histogram"];
  std::int64_t total = histogram["exact"];
  for (const json& bin : histogram["bins"]) total += bin["count"].get<std::int64_t>();
  CHECK(total == 4000);
}
