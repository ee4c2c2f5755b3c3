#include "rules/judging/contradiction.h"
#include "support/sample_graph.h"

#include <model_validator/diagnostic.h>
#include <model_validator/program.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using rules::Contradiction;

namespace {

/// A runtime with an answer about each kind that is given; empty reasons stand for "taken".
TargetProfile runtime(const std::map<std::string, std::string>& answers) {
  TargetProfile profile;
  profile.name = "runtime";
  profile.file.releases.emplace_back();
  for (const auto& [kind, reason] : answers) profile.file.forms[kind] = {reason, Mishap::refused};
  return profile;
}

std::vector<std::string> refusers_of(const Contradiction& contradiction,
                                     const std::vector<const TargetProfile*>& targets) {
  test::SampleGraph builder;
  builder.graph.origin.format = FileFormat::onnx;
  builder.graph.program = std::make_shared<const Program>();
  return rules::refusers_of(contradiction, targets, builder.graph);
}

bool refuses(const TargetProfile& target, const Contradiction& contradiction) {
  return !refusers_of(contradiction, {&target}).empty();
}

} // namespace

TEST_CASE("what a runtime was asked decides, its answer about an operator before that about all") {
  const TargetProfile target = runtime(
      {{"dtypes", "it does"}, {"onnx::Clip dtypes", ""}, {"output-more", "it counts them"}});
  CHECK(refuses(target, {"dtypes", "onnx::Add", {}}));
  CHECK_FALSE(refuses(target, {"dtypes", "onnx::Clip", {}}));
  CHECK(refuses(target, {"output-more", "onnx::Add", {}}));
}

TEST_CASE("an answer about what a check found comes before that about the operator") {
  const TargetProfile target = runtime({{"dtype", "it does"},
                                        {"onnx::Clip dtype: 1", ""},
                                        {"onnx::Clip dtype: 1: int64", "it adds them"},
                                        {"onnx::Add dtype", "it adds them"},
                                        {"dtype: 2", ""}});
  CHECK(refuses(target, {"dtype", "onnx::Clip", {}, "0", "int64"}));
  CHECK_FALSE(refuses(target, {"dtype", "onnx::Clip", {}, "1", "int32"}));
  CHECK(refuses(target, {"dtype", "onnx::Clip", {}, "1", "int64"}));
  CHECK_FALSE(refuses(target, {"dtype", "onnx::Add", {}, "2", "int64"}));
  CHECK(refuses(target, {"dtype", "onnx::Add", {}}));
}

TEST_CASE("a dtype that operands share is asked about apart, and otherwise judged as any") {
  const TargetProfile target = runtime({{"onnx::Mean dtype", "operands must be alike"},
                                        {"onnx::Mean dtype: 0: int32 alike", ""},
                                        {"onnx::Sum dtype: 0: int8", ""}});
  CHECK_FALSE(refuses(target, {"dtype", "onnx::Mean", {}, "0", "int32 alike"}));
  CHECK(refuses(target, {"dtype", "onnx::Mean", {}, "0", "int32"}));
  CHECK(refuses(target, {"dtype", "onnx::Mean", {}, "0", "int64 alike"}));
  CHECK_FALSE(refuses(target, {"dtype", "onnx::Sum", {}, "0", "int8 alike"}));
}

TEST_CASE("what it was not asked is minded where every runtime minds it") {
  const TargetProfile target = runtime({});
  CHECK(refuses(target, {"attribute-missing", "onnx::Cast", {}}));
  CHECK(refuses(target, {rules::kind_of_sizes({0, 1}), "onnx::MatMul", {}}));
  CHECK_FALSE(refuses(target, {"attribute-unknown", "onnx::Relu", {}}));
}

TEST_CASE("a runtime may pass over nodes that nothing needs, or that may never run") {
  const Contradiction dead{"sizes-0", "onnx::Tile", "dead"};
  const Contradiction later{"sizes-0", "onnx::Tile", rules::may_not_run};
  CHECK(refuses(runtime({}), dead));
  CHECK_FALSE(refuses(runtime({{"dead", ""}}), dead));
  CHECK_FALSE(refuses(runtime({}), later));
  CHECK(refuses(runtime({{"later", "it looks at all"}}), later));
}

TEST_CASE("without a runtime that judges files, no target takes it, unless it may never run") {
  CHECK(refusers_of({"dtypes", "onnx::Add", {}}, {}) == std::vector<std::string>{every_target});
  CHECK(refusers_of({"sizes", "onnx::Add", rules::may_not_run}, {}).empty());
}
