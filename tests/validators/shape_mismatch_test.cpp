#include "connected_graph/shapes/symbolic_shapes.h"
#include "rules/file_node.h"
#include "support/run_check.h"
#include "support/sample_graph.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

/// A graph of one op that reaches an output or not, with one mismatch.
Diagnostics found_in(shapes::Fails fails, bool conditional, bool needed,
                     const std::string& reason = "unequal") {
  SampleGraph builder;
  const OpId op = builder.functional("conv2d", "onnx::Conv", builder.frame(10));
  Program program = test::program_of({{.schema = "onnx::Conv", .inputs = {}}});
  program.nodes[0].op = op;
  if (needed) program.outputs.emplace_back("y", program.nodes[0].outputs[0]);
  builder.graph.program = std::make_shared<const Program>(std::move(program));
  SymbolicShapes shapes;
  shapes.facts.mismatches.push_back(
      {op, "", "a is 4, but b is 8", reason, {"b is stored"}, fails, conditional});
  builder.graph.shapes = std::make_shared<const SymbolicShapes>(std::move(shapes));
  return test::run_check(checks::shape_mismatch, builder.graph);
}

} // namespace

TEST_CASE("shape-mismatch tells both sizes, where they come from and what a runtime does") {
  const auto found = found_in(shapes::Fails::when_run, false, true);
  REQUIRE(found.findings().size() == 1);
  const Diagnostic& finding = found.findings()[0];
  CHECK(finding.message == "the operands of `conv2d` cannot fit: a is 4, but b is 8");
  CHECK(finding.op->name == "conv2d_0");
  REQUIRE(finding.notes.size() == 2);
  CHECK(finding.contradiction == " settings: unequal");
  CHECK(finding.notes[0] == "b is stored");
  CHECK(finding.notes[1].find("when it gets to this op") != std::string::npos);
}

TEST_CASE(
    "shape-mismatch stays silent about what never runs, unless it keeps a file from loading") {
  CHECK(found_in(shapes::Fails::when_run, true, true).findings().empty());
  CHECK(found_in(shapes::Fails::when_run, false, false).findings().empty());
  CHECK(found_in(shapes::Fails::at_load, true, false).findings().size() == 1);
}

TEST_CASE("shape-mismatch says where one of two sizes is 1, which some runtimes broadcast") {
  const auto found = found_in(shapes::Fails::when_run, false, true, "unequal: one at 1");
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].contradiction == " settings: unequal: one at 1");
}
