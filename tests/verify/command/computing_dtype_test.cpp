#include "support/sample_graph.h"
#include "verify/command/graph_noise.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using model_validator::test::SampleGraph;
using verify::computing_dtypes;

namespace {

using Steps = std::vector<std::pair<std::string, std::string>>; ///< type and dtype of its result

std::string at_the_end(const Steps& steps, const std::string& input = "") {
  SampleGraph sample;
  Op first;
  first.name = first.type = "x";
  first.kind = OpKind::input;
  first.outputs.emplace_back().dtype = input;
  OpId last = sample.graph.add_op(std::move(first));
  for (const auto& [type, dtype] : steps) {
    Op op;
    op.name = op.type = type;
    op.outputs.emplace_back().dtype = dtype;
    const OpId next = sample.graph.add_op(std::move(op));
    sample.edge(last, next);
    last = next;
  }
  sample.edge(last, sample.op("output_0", OpKind::output));
  return computing_dtypes(sample.graph).at(0);
}

} // namespace

TEST_CASE("a network computes in the least precise dtype of its results") {
  CHECK(at_the_end({{"conv", "float32"}, {"cast", "float64"}}) == "float32");
  CHECK(at_the_end({{"conv", "float16"}, {"cast", "float32"}, {"add", "float32"}}) == "float16");
  CHECK(at_the_end({{"conv", "float64"}, {"relu", "float64"}}) == "float64");
}

TEST_CASE("what only casts and moves values computes nothing") {
  CHECK(at_the_end({{"reshape", "float32"}, {"cast", "float64"}, {"conv", "float64"}}) ==
        "float64");
  CHECK(at_the_end({{"conv", "float64"}, {"dequantize", "float32"}}) == "float64");
  CHECK(at_the_end({{"conv", "float64"}, {"scatter", "float32"}}) == "float64");
  CHECK(at_the_end({{"conv", ""}}).empty());
}

TEST_CASE("a result whose dtype the file leaves out has that of what it is computed from") {
  CHECK(at_the_end({{"linear", ""}, {"cast", "float64"}}, "float32") == "float32");
  CHECK(at_the_end({{"cast", ""}, {"linear", ""}, {"cast", "float64"}}, "float32").empty());
}
