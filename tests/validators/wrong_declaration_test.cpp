#include "connected_graph/shapes/symbolic_shapes.h"
#include "support/run_check.h"
#include "support/sample_graph.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

TEST_CASE("wrong-declaration says what is declared and what is") {
  SampleGraph builder;
  const OpId op = builder.functional("relu", "onnx::Relu", builder.frame(10));
  SymbolicShapes shapes;
  shapes.wrong_declarations.push_back({op, "y", true, "[1, 4]", "[n, 4]"});
  builder.graph.shapes = std::make_shared<const SymbolicShapes>(std::move(shapes));
  const auto found = test::run_check(checks::wrong_declaration, builder.graph);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "output `y` is declared as [1, 4], but is [n, 4]");
}

TEST_CASE("wrong-declaration stays silent where nothing is worked out") {
  SampleGraph builder;
  builder.functional("relu", "aten::relu", builder.frame(10));
  CHECK(test::run_check(checks::wrong_declaration, builder.graph).findings().empty());
}
