#include "connected_graph/file_nodes.h"
#include "support/run_check.h"
#include "support/sample_graph.h"
#include "validators/checks.h"

#include <model_validator/program.h>
#include <model_validator/target_profile.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

/// What is found in an ONNX file of these forms.
Diagnostics found_in(std::vector<GraphForm> forms, const TargetProfile* target = nullptr) {
  SampleGraph builder;
  builder.graph.origin.format = FileFormat::onnx;
  builder.functional("op", "onnx::If", builder.frame(10));
  FileNodes file;
  file.forms = std::move(forms);
  builder.graph.program = std::make_shared<const Program>();
  builder.graph.file_nodes = std::make_shared<const FileNodes>(std::move(file));
  return test::run_check(checks::invalid_graph, builder.graph, {}, {}, [&](Context& context) {
    if (target != nullptr) context.targets = {target};
  });
}

TargetProfile runtime() {
  TargetProfile profile;
  profile.name = "runtime";
  profile.file.forms["function"] = {"it takes no functions", Mishap::refused};
  profile.file.releases.emplace_back();
  return profile;
}

} // namespace

TEST_CASE("invalid-graph tells the form, its place, and how many more there are") {
  const auto found =
      found_in({{.kind = "if-dtype", .sentence = "`If` yields two dtypes", .op = 0, .alike = 2}});
  REQUIRE(found.findings().size() == 1);
  const Diagnostic& finding = found.findings()[0];
  CHECK(finding.message == "`If` yields two dtypes");
  CHECK(finding.op->name == "op_0");
  CHECK(finding.notes[1] == "the same is wrong in 2 more places");
  CHECK(finding.refused_by.empty());
}

TEST_CASE("what no runtime takes keeps every target from taking the file") {
  const TargetProfile target = runtime();
  const GraphForm twice{.kind = "input-twice", .sentence = "`x` is declared twice"};
  CHECK(found_in({twice}).findings()[0].refused_by == std::vector<std::string>{every_target});
  CHECK(found_in({twice}, &target).findings().size() == 1);
}

TEST_CASE("what some take is left to the tables of targets that judge the file") {
  const TargetProfile target = runtime();
  const GraphForm twice{.kind = "node-twice", .sentence = "two nodes are called `n`"};
  CHECK(found_in({twice}).findings().size() == 1);
  CHECK(found_in({twice}, &target).findings().empty());
}

TEST_CASE("invalid-graph stays silent about what ONNX allows") {
  CHECK(found_in({{.kind = "function", .sentence = "a call"},
                  {.kind = "nothing-then-scale", .sentence = "a chain"},
                  {.kind = "sparse-initializer", .sentence = "sparse"}})
            .findings()
            .empty());
}

TEST_CASE("another opset of a function matters where the operator changed in between") {
  const auto of = [](int opset, int other) {
    return GraphForm{.kind = "function-opset",
                     .sentence = "`Softmax` is of another opset",
                     .schema = "onnx::Softmax",
                     .opset = opset,
                     .other_opset = other};
  };
  CHECK(found_in({of(11, 17)}).findings().size() == 1);
  CHECK(found_in({of(13, 17)}).findings().empty());
}
