#include "cli/init/settings_choice.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::cli;
using Catch::Contains;
using Names = std::vector<std::string>;

namespace {

Survey with(const std::string& ending, FileFormat format) {
  Survey survey;
  survey.models[ending][format] = {1, "net" + ending};
  return survey;
}

Survey requiring(Survey survey, const Names& packages) {
  for (const std::string& package : packages)
    survey.requirements.push_back({package, "requirements.txt", 1});
  return survey;
}

Names targets_for(const Survey& survey) {
  const Choice choice = choose(survey);
  REQUIRE(choice.files.size() == 1);
  return choice.files.front().targets;
}

constexpr auto onnx = FileFormat::onnx;
constexpr auto program = FileFormat::exported_program;
constexpr auto script = FileFormat::torchscript;

} // namespace

TEST_CASE("ONNX files are for ONNX Runtime where nothing else is named") {
  CHECK(targets_for(with(".onnx", onnx)) == Names{"onnxruntime"});
  CHECK(targets_for(requiring(with(".onnx", onnx), {"coremltools"})) == Names{"onnxruntime"});
  CHECK(targets_for(requiring(with(".onnx", onnx), {"openvino", "onnxruntime-gpu"})) ==
        Names{"openvino", "onnxruntime"});
}

TEST_CASE("models of PyTorch are for what the requirements name, as far as it reads them") {
  CHECK(targets_for(requiring(with(".pt2", program), {"executorch"})) ==
        Names{"executorch-xnnpack"});
  CHECK(targets_for(requiring(with(".pt", script), {"coremltools", "openvino-dev"})) ==
        Names{"coreml", "openvino"});
  CHECK(targets_for(requiring(with(".pt2", program), {"onnxruntime"})) == Names{"onnx-export"});
  CHECK(targets_for(requiring(with(".pt", script), {"onnx"})) == Names{"onnx"});
}

TEST_CASE("where nothing is named, the file holds a comment with targets that read the format") {
  const Choice choice = choose(with(".pt2", program));
  REQUIRE(choice.files.size() == 1);
  CHECK(choice.files[0].targets.empty());
  CHECK(choice.files[0].possible.front() == "openvino");
  CHECK_THAT(settings_text(choice), Contains("\n# [[per-file]]\n# files = [\"*.pt2\"]\n"));
  CHECK_THAT(settings_text(choice), !Contains("\n[[per-file]]"));
}

TEST_CASE("an ending with files of two formats has a target that reads both") {
  Survey survey = with(".pt", script);
  survey.models[".pt"][onnx] = {1, "odd.pt"};
  CHECK(targets_for(requiring(survey, {"onnxruntime", "openvino"})) == Names{"openvino"});
}

TEST_CASE("endings with the same targets for the same reason stand together") {
  Survey survey = with(".pt", script);
  survey.models[".torchscript"][script] = {2, "b.torchscript"};
  const Choice choice = choose(requiring(survey, {"openvino"}));
  REQUIRE(choice.files.size() == 1);
  CHECK(choice.files[0].patterns == Names{"*.pt", "*.torchscript"});
}

TEST_CASE("files without a model have no target") {
  const Choice choice = choose(with(".pth", FileFormat::unknown));
  CHECK(choice.files.empty());
  REQUIRE(choice.remarks.size() == 1);
  CHECK_THAT(choice.remarks[0], Contains("net.pth") && Contains("holds no model"));
}

TEST_CASE("a project that keeps no models has settings for those that it exports") {
  const Choice choice = choose(requiring({}, {"openvino"}));
  REQUIRE(choice.files.size() == 1);
  CHECK(choice.files[0].patterns == Names{"*.onnx", "*.pt2", "*.pt"});
}

TEST_CASE("the preset follows from what quantises, or from what the project asks for already") {
  CHECK(choose({}).preset == "deploy");
  CHECK(choose(requiring({}, {"openvino"})).preset == "deploy");
  CHECK(choose(requiring({}, {"nncf"})).preset == "quantise");
  Survey survey;
  survey.calls = {{"quantize_", "train.py", 7}};
  CHECK(choose(survey).preset == "quantise");
  CHECK_THAT(choose(survey).why_preset, Contains("train.py:7 uses `quantize_`"));
  survey.presets = {{"deploy", "Makefile", 3}};
  CHECK(choose(survey).preset == "deploy");
}

TEST_CASE("a target that the project names itself comes before its requirements") {
  Survey survey = requiring(with(".onnx", onnx), {"openvino"});
  survey.targets = {{"tensorrt@10", "Makefile", 2}, {"coreml", "Makefile", 2}};
  CHECK(targets_for(survey) == Names{"tensorrt@10"});
  survey.targets = {{"openvino@1999", "Makefile", 2}}; // no such release
  CHECK(targets_for(survey) == Names{"openvino"});
}

TEST_CASE("names of a repository end no comment") {
  Survey survey;
  survey.models[".onnx"][onnx] = {1, "a\n[aimet]\nb.onnx"};
  survey.gates = {{"", "x\n\x1b[2J", 1}};
  const Choice choice = choose(survey);
  CHECK_THAT(settings_text(choice), !Contains("\n[aimet]") && Contains("\\x0a[aimet]"));
  for (const std::string& line : explanation(choice)) CHECK_THAT(line, !Contains("\n"));
}
