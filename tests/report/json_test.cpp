#include "sample.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace model_validator;
using nlohmann::json;
using test::report_with;
using test::reused;

namespace {

json parsed(const std::vector<ModelReport>& reports) {
  return json::parse(test::written("json", reports));
}

} // namespace

TEST_CASE("the report has the shape that is promised") {
  const json report = parsed({report_with({reused("layer1.0.relu")}), test::unreadable()});
  CHECK(report["schema"] == "model_validator/1");
  CHECK(report["summary"]["models"] == 1);
  CHECK(report["summary"]["warnings"] == 1);
  CHECK(report["summary"]["unreadable"] == 1);
  const json& model = report["models"][0];
  CHECK(model["status"] == "failed");
  CHECK(model["error"].is_null());
  CHECK(model["ops"] == 60);
  CHECK(model["checks"][0] ==
        json{{"name", "reused-modules"}, {"status", "failed"}, {"findings", 1}});
  const json& finding = model["findings"][0];
  CHECK(finding["code"] == "GRA001");
  CHECK(finding["module"] == "layer1.0.relu");
  CHECK(finding["op"] == json{{"name", "relu_7"}, {"type", "relu"}});
  CHECK(finding["locations"][0] == json{{"file", "resnet.py"},
                                        {"line", 101},
                                        {"column", 14},
                                        {"module", "layer1.0"},
                                        {"role", "second call"}});
  CHECK(finding["fix"]["applicability"] == "safe");
  CHECK(finding["suppressed"].is_null());
}

TEST_CASE("a file that could not be read has its error and no findings") {
  const json model = parsed({test::unreadable()})["models"][0];
  CHECK(model["status"] == "error");
  CHECK(model["format"].is_null());
  CHECK(model["error"]["kind"] == "git-lfs-pointer");
  CHECK(model["findings"].empty());
}

TEST_CASE("every finding is there, suppressed ones with their reason") {
  Diagnostic hidden = reused("b.relu");
  hidden.suppressed = Suppression{"baseline", ""};
  const json report = parsed({report_with({reused("a.relu"), hidden})});
  CHECK(report["models"][0]["findings"].size() == 2);
  CHECK(report["models"][0]["findings"][1]["suppressed"]["by"] == "baseline");
  CHECK(report["summary"]["suppressed"] == 1);
}

TEST_CASE("bytes that are not UTF-8 do not break the document") {
  const json report = parsed({report_with({reused("bad\xff\x7f.relu")})});
  CHECK(report["models"][0]["findings"][0]["module"] == "bad\ufffd\x7f.relu");
}

TEST_CASE("a run without models is a document too") { CHECK(parsed({})["models"].empty()); }
