#include "rules/judging/judge.h"
#include "rules/judging/judge_file.h"

#include <model_validator/error.h>
#include <model_validator/target_profile.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>

using namespace model_validator;

TEST_CASE("a release is judged by its own table where there is one") {
  const TargetProfile newest = load_target("onnxruntime"), older = load_target("onnxruntime@1.20");
  CHECK(older.name == "onnxruntime");
  CHECK(older.release.version == "1.20.1");
  CHECK(older.file.releases.size() == newest.file.releases.size());
  CHECK_FALSE(rules::reads_another_release(newest));
  CHECK_FALSE(rules::reads_another_release(older));
  CHECK(newest.operators.contains("onnx::RotaryEmbedding"));
  CHECK_FALSE(older.operators.contains("onnx::RotaryEmbedding"));
  CHECK(rules::reads_another_release(load_target("onnxruntime@1.21")));
}

TEST_CASE("one name stands for a target's tables of PyTorch and of ONNX files") {
  for (const char* name : {"openvino", "tensorrt"}) {
    CAPTURE(name);
    const TargetProfile target = load_target(name);
    REQUIRE_FALSE(target.counterparts.empty());
    const TargetProfile& other = *target.counterparts.front();
    CHECK(other.name == name);
    CHECK(other.table == std::string(name) + "-onnx");
    ConnectedGraph graph;
    graph.origin.format = FileFormat::onnx;
    CHECK(&rules::table_for(target, graph) == &other);
    graph.origin.format = FileFormat::torchscript;
    CHECK(&rules::table_for(target, graph) == &target);
  }
  CHECK(load_target("onnxruntime").counterparts.empty());
}

TEST_CASE("a converter that reads exported programs in another way has a table for them") {
  const TargetProfile openvino = load_target("openvino"), tvm = load_target("tvm");
  ConnectedGraph graph;
  graph.origin.format = FileFormat::exported_program;
  CHECK(rules::table_for(openvino, graph).table == "openvino-export");
  CHECK(&rules::table_for(tvm, graph) == &tvm);
  CHECK(rules::table_for(load_target("openvino-onnx"), graph).table == "openvino-export");
  // convert_model decomposes it in an exported program alone.
  CHECK_FALSE(openvino.operators.contains("aten::logit"));
  CHECK(rules::table_for(openvino, graph).operators.contains("aten::logit"));
}

TEST_CASE("every built-in profile loads and says where it comes from") {
  const std::vector<std::string> names = target_names();
  CHECK(std::is_sorted(names.begin(), names.end()));
  CHECK(std::count(names.begin(), names.end(), "aimet") == 1);
  CHECK(std::count(names.begin(), names.end(), "onnx") == 1);
  for (const std::string& name : names) {
    CAPTURE(name);
    const TargetProfile profile = load_target(name);
    CHECK(profile.name == name);
    CHECK_FALSE(profile.description.empty());
    CHECK_FALSE(profile.package.empty());
    CHECK(profile.date.size() == 10);
  }
}

TEST_CASE("an operator that a target does not have can often be written with others") {
  for (const std::string& name : target_names()) {
    const TargetProfile profile = load_target(name);
    // What is written instead is PyTorch.
    if (profile.operators.empty() || rules::lists_onnx_operators(profile)) continue;
    CAPTURE(name);
    CHECK_FALSE(profile.replacements.empty());
    for (const auto& [op, replacement] : profile.replacements) {
      CAPTURE(op);
      if (op.starts_with("prim::")) continue; // of the language: advice in words
      // A table lists an operator, too, of which it says that it fails.
      if (!profile.file.refused.contains(op)) CHECK_FALSE(profile.operators.contains(op));
      CHECK_FALSE(profile.removed_by_passes.contains(op));
      const std::string base = op.substr(op.find("::") + 2);
      CHECK(replacement.text.starts_with(base.starts_with("__") ? "write `k "
                                                                : "write `" + base + "("));
    }
  }
}

TEST_CASE("an opset can be requested") {
  CHECK(load_target("onnx").opset == 17);
  CHECK(load_target("onnx@13").opset == 13);
  CHECK_THROWS_WITH(load_target("onnx@99"), Catch::Contains("does not have that opset"));
  CHECK_THROWS_WITH(load_target("onnx@x"), Catch::Contains("does not have that opset"));
}

TEST_CASE("of a target whose table is of one release, that one can be named") {
  CHECK(load_target("coreml@9.0").package == load_target("coreml").package);
  for (const char* other : {"coreml@2019", "coreml@", "coreml@x", "aimet@13"}) {
    CAPTURE(other);
    try {
      load_target(other);
      FAIL("no error");
    } catch (const Error& error) {
      const std::string text = other;
      CHECK(error.kind() == ErrorKind::bad_release);
      CHECK_THAT(error.what(),
                 Catch::Contains(load_target(text.substr(0, text.find('@'))).package));
      CHECK_THAT(error.hint(), Catch::Contains(text.substr(0, text.find('@')) + "@"));
    }
  }
}

TEST_CASE("a release that is not known names those that are") {
  for (const char* unknown : {"openvino@2019", "openvino@", "openvino@x"})
    CHECK_THROWS_WITH(load_target(unknown), Catch::Contains("has no such release"));
}

TEST_CASE("a release is that of the table for the file's format") {
  const TargetProfile older = load_target("tensorrt@10");
  REQUIRE(older.counterparts.size() == 1);
  CHECK(older.counterparts.front()->package == "tensorrt 10.0");
  CHECK(older.counterparts.front()->release.version == "10.0");
  CHECK(older.release.version.empty()); // torch-tensorrt has releases of its own
  const TargetProfile newest = load_target("tensorrt");
  CHECK_THAT(newest.counterparts.front()->package, Catch::StartsWith("tensorrt 11"));
  CHECK_THROWS_WITH(load_target("tensorrt@9"), Catch::Contains("has no such release"));
  CHECK(load_target("openvino@2026.2").release.version == "2026.2.1");
}

TEST_CASE("a profile may say only in what it differs from another") {
  const TargetProfile base = load_target("tensorrt-onnx");
  const TargetProfile rtx = load_target("tensorrt-rtx");
  CHECK(rtx.operators.size() == base.operators.size());
  CHECK(base.takes_plugins);
  CHECK(rtx.takes_plugins);
  const auto mishap = [](const TargetProfile& of) {
    return of.file.refused.at("com.microsoft::MatMulNBits").back().mishap;
  };
  CHECK(mishap(base) == Mishap::unknown);
  CHECK(mishap(rtx) == Mishap::refused);
  CHECK(rtx.file.releases.empty());
}

TEST_CASE("an unknown target gets the nearest one as hint") {
  try {
    load_target("onnnx");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unknown_target);
    CHECK(error.hint() == "did you mean `onnx`?");
  }
  CHECK_THROWS_AS(load_target("../rules/onnx"), Error);
}

TEST_CASE("the environment may name another folder") {
  const std::string built_in = rules_folder().string();
  setenv("MODEL_VALIDATOR_RULES", "/nowhere", 1);
  CHECK_THROWS_WITH(rules_folder(), Catch::Contains("MODEL_VALIDATOR_RULES"));
  setenv("MODEL_VALIDATOR_RULES", built_in.c_str(), 1);
  CHECK(rules_folder() == built_in);
  unsetenv("MODEL_VALIDATOR_RULES");
}
