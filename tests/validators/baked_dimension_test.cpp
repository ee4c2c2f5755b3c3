#include "connected_graph/shapes/symbolic_shapes.h"
#include "support/run_check.h"
#include "support/sample_graph.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

/// A graph of two ops that both reach the output.
struct TwoOps {
  SampleGraph builder;
  SymbolicShapes shapes;
  OpId first, second;

  TwoOps() {
    first = builder.functional("reshape", "onnx::Reshape", builder.frame(10));
    second = builder.functional("add", "onnx::Add", builder.frame(11));
    const OpId end = builder.op("y", OpKind::output);
    builder.graph.add_product(first, second, {});
    builder.graph.add_product(second, end, {});
  }
  void demand(OpId op, shapes::Size a, shapes::Size b, bool or_one) {
    shapes.facts.demands.push_back(
        {op, shapes.sizes.solve(a, b), "", "this is that", or_one, a, b});
  }
  Diagnostics run() {
    builder.graph.shapes = std::make_shared<const SymbolicShapes>(std::move(shapes));
    return test::run_check(checks::baked_dimension, builder.graph);
  }
};

} // namespace

TEST_CASE("baked-dimension tells an axis once, with all ops that fix it") {
  TwoOps sample;
  const shapes::Size n = sample.shapes.sizes.symbol({"x", 0, "batch"});
  sample.demand(sample.first, n, shapes::Size::of(1), false);
  sample.demand(sample.second, n, shapes::Size::of(1), true);
  const auto found = sample.run();
  REQUIRE(found.findings().size() == 1);
  const Diagnostic& finding = found.findings()[0];
  CHECK(finding.message == "axis 0 of input `x` (`batch`) is declared free, but can only be 1");
  CHECK(finding.op->name == "reshape_0");
  REQUIRE(finding.notes.size() == 2);
  CHECK(finding.notes[1] == "the same axis is fixed by `reshape_0`, `add_1`");
}

TEST_CASE("baked-dimension tells two axes of one input that must be equal") {
  TwoOps sample;
  auto& sizes = sample.shapes.sizes;
  sample.demand(sample.first, sizes.symbol({"x", 0, "h"}), sizes.symbol({"x", 1, "w"}), false);
  REQUIRE(sample.run().findings().size() == 1);
}

TEST_CASE("baked-dimension tells a range of sizes, unless it is a wide one") {
  TwoOps narrow;
  auto& sizes = narrow.shapes.sizes;
  const shapes::Size h = sizes.symbol({"x", 2, "h"});
  narrow.demand(narrow.first, sizes.quotient(h, shapes::Size::of(16)), shapes::Size::of(14), false);
  const auto found = narrow.run();
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message ==
        "axis 2 of input `x` (`h`) is declared free, but can only be 224 to 239");
  TwoOps wide;
  const shapes::Size w = wide.shapes.sizes.symbol({"x", 2, "w"});
  wide.demand(wide.first, wide.shapes.sizes.quotient(w, shapes::Size::of(48)), shapes::Size::of(1),
              false);
  CHECK(wide.run().findings().empty());
}

TEST_CASE("baked-dimension stays silent about axes of two inputs that must be equal") {
  TwoOps sample;
  auto& sizes = sample.shapes.sizes;
  sample.demand(sample.first, sizes.symbol({"x", 0, "a"}), sizes.symbol({"y", 0, "b"}), false);
  CHECK(sample.run().findings().empty());
}
