#include "verify/run/scratch_folder.h"
#include "verify_test_modules.h"

#include <model_validator/error.h>
#include <model_validator/verify/request.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

/// Two outputs of one small model, saved where it can be verified.
class SavedModel {
public:
  explicit SavedModel(const std::string& body = "return x * 2, torch.sin(x)") {
    auto module = scripted("def forward(self, x):\n  " + body);
    module.register_attribute("training", c10::BoolType::get(), false);
    module.save(file().string());
  }
  std::filesystem::path file() const { return folder_.path() / "model.pt"; }
  std::filesystem::path folder() const { return folder_.path(); }

private:
  ScratchFolder folder_;
};

VerifyRequest request_for(const SavedModel& model) {
  VerifyRequest request;
  request.reference = model.file();
  request.inputs.specs = {"x=2x3"};
  request.output_format = "json";
  request.threads = 1;
  return request;
}

std::vector<std::string> incidents(const VerifyResult& result) {
  std::vector<std::string> kinds;
  const auto report = nlohmann::json::parse(result.output);
  for (const auto& incident : report["incidents"]) kinds.push_back(incident["kind"]);
  return kinds;
}

std::string refusal(const VerifyRequest& request) {
  try {
    run_verification(request);
  } catch (const Error& error) {
    return error.kind();
  }
  return "accepted";
}

} // namespace

TEST_CASE("a model is the same as what LibTorch compiles it to") {
  const SavedModel model;
  auto request = request_for(model);
  request.backend = "ts";
  request.inputs.samples = 2;
  const auto result = run_verification(request);
  CHECK(result.status == VerifyStatus::same);
  CHECK(nlohmann::json::parse(result.output)["outputs"].size() == 4);
}

TEST_CASE("another model is different, and the op that differs is named") {
  const SavedModel model, other("return x * 2, torch.cos(x)");
  auto request = request_for(model);
  request.candidate = other.file();
  request.localize = true;
  const auto result = run_verification(request);
  CHECK(result.status == VerifyStatus::different);
  std::string first;
  const auto report = nlohmann::json::parse(result.output);
  for (const auto& op : report["ops"])
    if (op["first_divergent"]) first = op["type"];
  CHECK(first == "sin");
}

TEST_CASE("outputs that are swapped, dropped or of another dtype are different") {
  const SavedModel model;
  for (const auto* body :
       {"return torch.sin(x), x * 2", "return x * 2", "return x * 2, torch.sin(x).to(7)"}) {
    CAPTURE(body);
    const SavedModel other(body);
    auto request = request_for(model);
    request.candidate = other.file();
    CHECK(run_verification(request).status == VerifyStatus::different);
  }
}

TEST_CASE("a candidate that fails, crashes or hangs is a finding") {
  const SavedModel model;
  auto request = request_for(model);
  std::string kind = "crash";
  SECTION("it fails") { request.command = "true {inputs} {outputs}; exit 3"; }
  SECTION("it crashes") { request.command = "true {inputs} {outputs}; kill -9 $$"; }
  SECTION("it hangs") {
    request.command = "true {inputs} {outputs}; sleep 600";
    request.timeout = std::chrono::seconds(5);
    kind = "timeout";
  }
  const auto result = run_verification(request);
  CHECK(result.status == VerifyStatus::crashed);
  CHECK(incidents(result) == std::vector<std::string>{kind});
}

TEST_CASE("a candidate that writes into its inputs, or differs from itself, is a finding") {
  SECTION("inputs") {
    const SavedModel model("return x + 1"), other("return x.add_(1)");
    auto request = request_for(model);
    request.candidate = other.file();
    CHECK(incidents(run_verification(request)) == std::vector<std::string>{"inputs-changed"});
  }
  SECTION("results") {
    const SavedModel model("return x + 1"), other("return x + 1 + torch.rand_like(x) * 1e-9");
    auto request = request_for(model);
    request.candidate = other.file();
    request.inputs.specs = {"x=2x3:float64"};
    const auto result = run_verification(request);
    CHECK(incidents(result) == std::vector<std::string>{"not-deterministic"});
    CHECK(result.status == VerifyStatus::different);
  }
}

TEST_CASE("stored results are compared with later, without inputs being given") {
  const SavedModel model, other("return x * 2, torch.sin(x) + 0.1");
  auto store = request_for(model);
  store.save_golden = model.folder() / "golden";
  CHECK(run_verification(store).status == VerifyStatus::same);
  auto request = request_for(model);
  request.inputs.specs = {};
  request.golden = store.save_golden;
  CHECK(run_verification(request).status == VerifyStatus::same);
  request.reference = other.file();
  CHECK(run_verification(request).status == VerifyStatus::different);
}

TEST_CASE("the tightest tolerance is told") {
  const SavedModel model, other("return x * 2, torch.sin(x) * 1.00001");
  auto request = request_for(model);
  request.candidate = other.file();
  request.auto_tolerance = true;
  const auto result = run_verification(request);
  CHECK(result.status == VerifyStatus::same);
  CHECK_THAT(result.output, Catch::Contains("--rtol 1"));
}

TEST_CASE("a request that makes no sense is refused") {
  const SavedModel model;
  auto request = request_for(model);
  CHECK(refusal(request) == "usage");
  request.backend = "ts";
  request.command = "./run {inputs} {outputs}";
  CHECK(refusal(request) == "usage");
  request.command.clear();
  request.device = "cuda";
  CHECK(refusal(request) == "no-device");
  request.device = "cpu";
  request.inputs.specs.clear();
  CHECK(refusal(request) == "missing-input");
  request = request_for(model);
  request.backend = "tensorrt";
  CHECK(refusal(request) == "unknown-backend");
}
