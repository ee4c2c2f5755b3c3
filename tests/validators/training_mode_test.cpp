#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::found_modules;
using test::SampleGraph;
using Paths = std::vector<std::string>;

namespace {

constexpr test::Checker check{checks::training_mode};

const std::string dropout = "torch.nn.modules.dropout.Dropout";
const std::string batch_norm = "torch.nn.modules.batchnorm.BatchNorm2d";

} // namespace

TEST_CASE("one module left in training mode is found, in a scripted file by its attribute") {
  SampleGraph builder;
  const ModuleId drop = builder.module("drop", dropout);
  builder.attribute(drop, "training", true).attribute(drop, "p", 0.5);
  builder.call(drop, builder.frame(10));
  const ModuleId other = builder.module("other", dropout);
  builder.attribute(other, "training", false);
  builder.call(other, builder.frame(11));
  const auto found = check(builder);
  REQUIRE(found_modules(found) == Paths{"drop"});
  CHECK(found.findings()[0].message == "module `drop` (Dropout) runs in training mode");
}

TEST_CASE("the operators of a trace show what it does") {
  SampleGraph builder;
  builder.graph.origin.traced = true;
  const ModuleId drop = builder.module("drop", dropout);
  builder.attribute(drop, "training", false);
  builder.call(drop, builder.frame(10), 1, none,
               {{"aten::dropout", {{"p", 0.5}, {"train", true}}, {}, {}}});
  CHECK(found_modules(check(builder)) == Paths{"drop"});
}

TEST_CASE("a model exported in training mode is one finding") {
  SampleGraph builder;
  for (const char* path : {"a", "b", "c"}) {
    const ModuleId norm = builder.module(path, batch_norm);
    builder.parameter(norm, "running_mean", {8}).attribute(norm, "training", true);
    const OpId op = builder.call(norm, builder.frame(10));
    builder.graph.op(op).parameters = builder.graph.module(norm).parameters;
  }
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "the model was exported in training mode");
  CHECK(found.findings()[0].help == "call `model.eval()` before the export");
}

TEST_CASE("a subclass of a batch norm that calls the function follows the mode as well") {
  for (const bool traced : {true, false})
    for (const bool trains : {true, false}) {
      SampleGraph builder;
      builder.graph.origin.traced = traced;
      const ModuleId norm = builder.module("bn", "timm.layers.BatchNormAct2d", false);
      builder.parameter(norm, "running_mean", {8}).attribute(norm, "training", trains);
      const OpId op =
          builder.functional("batch_norm", "torch.nn.functional.batch_norm", builder.frame(4));
      builder.graph.op(op).parent = norm;
      builder.graph.op(op).parameters = builder.graph.module(norm).parameters;
      if (traced) builder.graph.op(op).attributes = {{"training", trains}};
      const auto found = check(builder);
      REQUIRE(found.findings().size() == (trains ? 1 : 0));
      if (!trains) continue;
      CHECK(found.findings()[0].message == "module `bn` (BatchNormAct2d) runs in training mode");
      CHECK(found.findings()[0].help == "call `model.eval()` before the export");
    }
}

TEST_CASE("a functional dropout that always trains is found where the rest of the model does not") {
  SampleGraph builder;
  const OpId op = builder.functional("dropout", "torch.nn.functional.dropout", builder.frame(4));
  builder.graph.op(op).attributes = {{"p", 0.5}, {"training", true}};
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].help ==
        "pass `training=self.training`, or use the module `nn.Dropout`");
  builder.graph.op(op).attributes[1].value = false;
  CHECK(check(builder).findings().empty());
}

TEST_CASE("what is the same in both modes is not found") {
  SampleGraph builder;
  const ModuleId never_drops = builder.module("drop", dropout);
  builder.attribute(never_drops, "training", true).attribute(never_drops, "p", 0.0);
  builder.call(never_drops, builder.frame(10));
  const ModuleId no_statistics = builder.module("norm", batch_norm);
  builder.attribute(no_statistics, "training", true);
  builder.call(no_statistics, builder.frame(11));
  const ModuleId other = builder.module("linear", "torch.nn.modules.linear.Linear");
  builder.attribute(other, "training", true);
  builder.call(other, builder.frame(12));
  CHECK(check(builder).findings().empty());
}

TEST_CASE("a module that is never called is not found") {
  SampleGraph builder;
  builder.attribute(builder.module("drop", dropout), "training", true);
  CHECK(check(builder).findings().empty());
}

TEST_CASE("a model that is one module is named as the model itself") {
  SampleGraph builder;
  Module& root = builder.graph.modules()[0];
  root.class_name = dropout;
  root.leaf = root.torch_nn = true;
  builder.attribute(0, "training", true).attribute(0, "p", 0.5);
  builder.call(0, none);
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "the model itself (Dropout) runs in training mode");
}

TEST_CASE("a mode that other nodes compute, or the caller gives, is found") {
  SampleGraph builder;
  builder.graph.origin.format = FileFormat::onnx;
  const auto add = [&](std::vector<Attribute> attributes) {
    const OpId id = builder.functional("dropout", "onnx::Dropout");
    builder.graph.op(id).attributes = std::move(attributes);
  };
  add({{"training_mode", std::string("computed")}});
  add({{"training_mode", std::string("computed")}, {"ratio", 0.0}});
  add({{"training_mode", false}});
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message ==
        "`dropout` runs in training mode where another value says so");
}

TEST_CASE("what draws random numbers in training only is found, whatever it is called") {
  const auto found_of = [](const char* type, std::vector<Attribute> attributes) {
    SampleGraph builder;
    const OpId op = builder.functional(type, "aten::" + std::string(type), builder.frame(4));
    builder.graph.op(op).attributes = std::move(attributes);
    return check(builder).findings().size();
  };
  CHECK(found_of("rrelu", {{"lower", 0.1}, {"training", true}}) == 1);
  CHECK(found_of("rrelu", {{"lower", 0.1}, {"training", false}}) == 0);
  const std::int64_t one = 1, two = 2;
  CHECK(found_of("lstm", {{"num_layers", two}, {"dropout", 0.5}, {"train", true}}) == 1);
  CHECK(found_of("lstm", {{"num_layers", two}, {"dropout", 0.0}, {"train", true}}) == 0);
  CHECK(found_of("lstm", {{"num_layers", one}, {"dropout", 0.5}, {"train", true}}) == 0);
  CHECK(found_of("relu", {{"train", true}}) == 0);
}
