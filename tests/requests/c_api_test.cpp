#include "requests/relu_model.h"
#include "support/temporary_folder.h"

#include <model_validator/c_api.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <memory>

using Json = nlohmann::json;
using model_validator::test::relu_model;
using model_validator::test::TemporaryFolder;

namespace {

struct Free {
  void operator()(mv_result* result) const { mv_result_free(result); }
  void operator()(mv_session* session) const { mv_session_close(session); }
};
using Result = std::unique_ptr<mv_result, Free>;
using Session = std::unique_ptr<mv_session, Free>;

Json json_of(const Result& result, const char* name = "json") {
  const char* text = mv_result_text(result.get(), name, nullptr);
  return text == nullptr ? Json() : Json::parse(text);
}

std::string error_of(const Result& result) { return json_of(result, "error").value("kind", ""); }

mv_result* ask(mv_session* session, const char* question, const mv_model* model,
               const char* options = nullptr, const mv_interruption* interruption = nullptr) {
  return mv_ask(session, question, model, 1, options, interruption);
}

class Models {
public:
  Models() : file_(folder_.write("relu.onnx", relu_model()).string()) {}
  mv_model by_path(int trusted) const { return {nullptr, file_.c_str(), nullptr, 0, trusted}; }
  mv_model in_memory(int trusted) const {
    return {"upload.onnx", nullptr, bytes_.data(), bytes_.size(), trusted};
  }
  const std::string& file() const { return file_; }

private:
  TemporaryFolder folder_;
  std::string file_;
  std::string bytes_ = relu_model();
};

} // namespace

TEST_CASE("a model is checked alike from a file and from memory, confined and in place") {
  const Models models;
  const Session session(mv_session_open(nullptr, nullptr));
  for (const int trusted : {0, 1})
    for (const mv_model& model : {models.by_path(trusted), models.in_memory(trusted)}) {
      const Result result(ask(session.get(), "check", &model,
                              R"({"isolated": true, "formats": ["json", "full"]})", nullptr));
      INFO(json_of(result, "error").dump());
      CHECK(mv_result_status(result.get()) == MV_CLEAN);
      const Json report = json_of(result);
      CHECK(report["models"][0]["format"] == "onnx");
      CHECK(report["models"][0]["path"] == (model.path != nullptr ? models.file() : "upload.onnx"));
      CHECK(mv_result_text(result.get(), "full", nullptr) != nullptr);
      CHECK(mv_result_text(result.get(), "sarif", nullptr) == nullptr);
      CHECK(json_of(result, "log").is_array());
    }
}

TEST_CASE("the other questions have their answers") {
  const Models models;
  const Session session(mv_session_open(nullptr, nullptr));
  const mv_model model = models.in_memory(1);
  const Result graph(ask(session.get(), "graph", &model));
  CHECK(json_of(graph)["ops"][1]["name"] == "relu_0");
  CHECK(json_of(graph)["path"] == "upload.onnx");
  const Result summary(ask(session.get(), "inspect", &model, R"({"fingerprint": false})"));
  CHECK(json_of(summary)["operators"]["relu"] == 1);
  CHECK(json_of(summary)["path"] == "upload.onnx");
  const Result plan(ask(session.get(), "partition", &model, R"({"target": "onnxruntime"})"));
  CHECK(json_of(plan)["partitions"][0]["target"] == "onnxruntime");
  const Result quantised(ask(session.get(), "quantise-plan", &model));
  CHECK(json_of(quantised)["target"] == "onnxruntime-quantize");
  const mv_model both[] = {model, models.by_path(0)};
  const Result difference(mv_ask(session.get(), "diff", both, 2, nullptr, nullptr));
  CHECK(json_of(difference)["verdict"] == "same-fingerprint");
}

TEST_CASE("errors are values") {
  const Session session(mv_session_open(nullptr, nullptr));
  const mv_model missing{nullptr, "/no/such/file.onnx", nullptr, 0, 0};
  const Result unread(ask(session.get(), "check", &missing));
  CHECK(mv_result_status(unread.get()) == MV_ERROR);
  CHECK(json_of(unread)["models"][0]["error"]["kind"] == "not-found");
  CHECK(error_of(Result(ask(session.get(), "graph", &missing))) == "not-found");
  CHECK(error_of(Result(ask(session.get(), "check", &missing, "[]"))) == "bad-options");
  CHECK(error_of(Result(ask(session.get(), "check", nullptr))) == "bad-options");
  CHECK(error_of(Result(ask(session.get(), "diff", &missing))) == "bad-options");
  CHECK(error_of(Result(ask(session.get(), "no-question", &missing))) == "bad-options");
  CHECK(error_of(Result(ask(nullptr, "check", &missing))) == "bad-options");
  CHECK(error_of(Result(mv_compare(nullptr, nullptr, nullptr))) == "bad-value");
}

TEST_CASE("options that make no sense do no harm") {
  const Models models;
  const mv_model model = models.in_memory(1);
  for (const char* options :
       {R"({"target": "onx"})", R"({"select": "no-rule"})", R"({"max_memory": "much"})",
        R"({"config": "/no/such.toml"})", R"({"inputs": 3})", R"({"smallest": -1})"})
    for (const char* question : {"check", "graph", "inspect", "partition"}) {
      const Result result(ask(nullptr, question, &model, options));
      CHECK(mv_result_status(result.get()) == MV_ERROR);
    }
}

TEST_CASE("a missing program is reported") {
  const Models models;
  const Session session(mv_session_open("/no/such/program", nullptr));
  const mv_model model = models.by_path(0);
  const Result result(ask(session.get(), "check", &model));
  CHECK(error_of(result) == "no-service");
}

TEST_CASE("a call that is interrupted ends, and the next one is answered") {
  const Models models;
  const Session session(mv_session_open(nullptr, nullptr));
  const mv_model model = models.by_path(0);
  // The service is made anew for each call that loads libraries of the caller's own: it takes a
  // while.
  const mv_interruption at_once{[](void* data) { return ++*static_cast<int*>(data); }, nullptr};
  int asked = 0;
  mv_interruption interruption = at_once;
  interruption.data = &asked;
  const Result begun(ask(session.get(), "check", &model, nullptr, &interruption));
  if (asked > 0) CHECK(error_of(begun) == "interrupted");
  const Result after(ask(session.get(), "check", &model, R"({"isolated": true})", nullptr));
  CHECK(mv_result_status(after.get()) == MV_CLEAN);
}

TEST_CASE("checks of the caller's own are rules like the others") {
  const Models models;
  const mv_model model = models.in_memory(1);
  const auto checked = [&](const char* selection) {
    Json options = Json::parse(selection);
    options["isolated"] = true;
    options["rules"] = Json::parse(R"([{"name": "no-relu", "code": "TEAM001", "findings": [
      {"message": "a relu", "op": {"name": "relu_0", "type": "relu"}, "help": "none"}]}])");
    return Result(ask(nullptr, "check", &model, options.dump().c_str(), nullptr));
  };
  const Result found = checked("{}");
  CHECK(mv_result_status(found.get()) == MV_FINDINGS);
  const Json finding = json_of(found)["models"][0]["findings"][0];
  CHECK(finding["code"] == "TEAM001");
  CHECK(finding["severity"] == "warning");
  CHECK(finding["fingerprint"].get<std::string>().size() == 16);
  CHECK(mv_result_status(checked(R"({"ignore": "TEAM"})").get()) == MV_CLEAN);
  CHECK(mv_result_status(checked(R"({"severity": {"no-relu": "info"}})").get()) == MV_CLEAN);
}

TEST_CASE("results of models are compared") {
  const std::array<float, 3> reference{1, 2, 3};
  const std::array<float, 3> off{3, 1, 2};
  const std::int64_t size = 3;
  const auto compared = [&](const std::array<float, 3>& data) {
    const mv_array left{reference.data(), "float32", 1, &size, nullptr};
    const mv_array right{data.data(), "float32", 1, &size, nullptr};
    const mv_value a{R"({"array": 0})", &left, 1};
    const mv_value b{R"({"array": 0})", &right, 1};
    const Result judged(mv_compare(&a, &b, R"({"formats": ["json", "text"]})"));
    const Result same(mv_same(&a, &b, nullptr, nullptr));
    CHECK(mv_result_status(judged.get()) == mv_result_status(same.get()));
    return std::pair(mv_result_status(judged.get()),
                     std::string(mv_result_text(judged.get(), "first_failure", nullptr)));
  };
  CHECK(compared(reference) == std::pair(MV_CLEAN, std::string()));
  const auto [status, message] = compared(off);
  CHECK(status == MV_FINDINGS);
  CHECK(message.starts_with("Data mismatch -> AutomaticValueChecker"));
}

TEST_CASE("a checker is not given what it does not use, nor a name that none has") {
  const std::array<float, 3> values{1, 2, 3};
  const std::int64_t size = 3;
  const mv_array array{values.data(), "float32", 1, &size, nullptr};
  const mv_value value{R"({"array": 0})", &array, 1};
  const auto answer = [&](const std::string& checker) {
    const Result judged(mv_compare(&value, &value, (R"({"checker": )" + checker + "}").c_str()));
    return mv_result_status(judged.get()) == MV_CLEAN ? "same" : error_of(judged);
  };
  for (const char* fine :
       {R"({"name": "auto", "pcc": 0.9, "pcc_alone": true})", R"({"name": "exact"})",
        R"({"name": "allclose", "rtol": 1e-3, "equal_nan": true})",
        R"({"name": "default", "rtol": "1e-3"})", R"({"name": "default", "rtol": 1e-3})",
        R"({"name": "quantised", "sqnr": "20", "agreement": 0.8})"})
    CHECK(answer(fine) == "same");
  for (const char* odd :
       {R"({"name": "exact", "rtol": 1e-3})", R"({"name": "allclose", "pcc": 0.9})",
        R"({"name": "default", "pcc_alone": true})", R"({"name": "quantised", "atol": "1"})",
        R"({"name": "auto", "equal_nan": true})", R"({"name": "same"})"})
    CHECK(answer(odd) == "bad-options");
}
