#include "support/sample_graph.h"
#include "verify/command/graph_noise.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using model_validator::test::SampleGraph;
using verify::graph_noise;

namespace {

/// An input that passes through operators, one after the other, to an output.
class Chain : public SampleGraph {
public:
  Chain() : last(op("x", OpKind::input)) {}
  Chain& then(const std::string& type) {
    const OpId next = functional(type, "aten::" + type);
    edge(last, next);
    last = next;
    return *this;
  }
  OpId last;
};

std::vector<double> at_the_end(Chain chain) {
  chain.edge(chain.last, chain.op("output_0", OpKind::output));
  return graph_noise(chain.graph).magnitudes;
}

} // namespace

TEST_CASE("the result of a saturating function is computed with numbers near one") {
  using Found = std::vector<double>;
  CHECK(at_the_end(Chain().then("conv2d").then("sigmoid")) == Found{1});
  CHECK(at_the_end(Chain().then("softmax").then("select").then("unsqueeze")) == Found{1});
  for (const char* keeps : {"mean", "adaptive_avg_pool", "max_pool2d", "amax", "index_put", "relu"})
    CHECK(at_the_end(Chain().then("sigmoid").then(keeps)) == Found{1});
  CHECK(at_the_end(Chain().then("sigmoid").then("conv2d")) == Found{0});
  CHECK(at_the_end(Chain().then("conv2d").then("relu")) == Found{0});
  CHECK(at_the_end(Chain().then("sigmoid").then("mul")) == Found{0});
}

TEST_CASE("a product has the magnitude of its factors") {
  SampleGraph builder;
  const auto x = builder.op("x", OpKind::input);
  const auto sigmoid = builder.functional("sigmoid", "aten::sigmoid");
  const auto softmax = builder.functional("softmax", "aten::softmax");
  const auto known = builder.functional("mul", "aten::mul");
  const auto unknown = builder.functional("mul", "aten::mul");
  builder.edge(x, sigmoid).edge(x, softmax);
  builder.edge(sigmoid, known).edge(softmax, known, 1).edge(sigmoid, unknown).edge(x, unknown, 1);
  builder.edge(known, builder.op("output_0", OpKind::output));
  builder.edge(unknown, builder.op("output_1", OpKind::output));
  CHECK(graph_noise(builder.graph).magnitudes == std::vector<double>{1, 0});
}

TEST_CASE("what is interpolated, and only moved or bounded then, is known as such") {
  const auto at_the_end_of = [](Chain chain) {
    chain.edge(chain.last, chain.op("output_0", OpKind::output));
    return graph_noise(chain.graph).interpolated.front() != 0;
  };
  CHECK(at_the_end_of(Chain().then("conv2d").then("interpolate").then("clamp")));
  CHECK_FALSE(at_the_end_of(Chain().then("interpolate").then("conv2d")));
  CHECK_FALSE(at_the_end_of(Chain().then("conv2d").then("clamp")));
}
