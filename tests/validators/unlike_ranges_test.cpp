#include "support/run_check.h"
#include "support/sample_graph.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace model_validator;
using test::SampleGraph;

namespace {
constexpr test::Checker check{checks::unlike_ranges};

/// Ops one after the other, from an input of the model.
OpId chain(SampleGraph& builder, const std::vector<std::pair<std::string, double>>& types,
           const std::string& argument = "other") {
  OpId last = builder.op("x", OpKind::input);
  for (const auto& [type, number] : types) {
    const OpId op = builder.functional(type, "aten::" + type, builder.frame(3));
    if (number != 0) builder.graph.op(op).attributes = {{argument, number}};
    builder.edge(last, op, 0);
    last = op;
  }
  return last;
}

/// How many findings there are where both are joined.
std::size_t joined(const std::vector<std::pair<std::string, double>>& a,
                   const std::vector<std::pair<std::string, double>>& b) {
  SampleGraph builder;
  const OpId first = chain(builder, a);
  const OpId second = chain(builder, b);
  const OpId op = builder.functional("cat", "aten::cat", builder.frame(10));
  builder.edge(first, op, 0);
  builder.edge(second, op, 1);
  const auto found = check(builder);
  for (const Diagnostic& each : found.findings()) CHECK(each.op->type == "cat");
  return found.findings().size();
}

/// How many findings there are where a tensor of the file, with numbers up to `stored`, is added.
std::size_t added(const std::string& function, double stored) {
  SampleGraph builder;
  const OpId last = chain(builder, {{function, 0}});
  const OpId op = builder.functional("add", "aten::add", builder.frame(10));
  builder.edge(last, op, 0);
  builder.parameter(0, "grid", {1, 16});
  builder.graph.op(op).parameters = {0};
  builder.graph.op(op).parameter_inputs = {1};
  const auto found =
      test::run_check(checks::unlike_ranges, builder.graph, {}, {}, [&](Context& context) {
        context.sample_weights = [&](const std::vector<std::string>& names) {
          return WeightSamples(names.size(), std::vector<double>{0, stored});
        };
      });
  return found.findings().size();
}

std::size_t alone(const std::vector<std::pair<std::string, double>>& ops,
                  const std::string& argument = "other") {
  SampleGraph builder;
  chain(builder, ops, argument);
  return check(builder).findings().size();
}

/// A softmax over so many keys, of which a product takes the values.
std::size_t attention(std::int64_t keys, const std::string& reader) {
  SampleGraph builder;
  const OpId softmax = chain(builder, {{"softmax", 0}});
  const OpId product = builder.functional(reader, "aten::" + reader, builder.frame(4));
  builder.edge(softmax, product, 0);
  const auto edges = boost::in_edges(product, builder.graph.graph());
  builder.graph.product(*edges.first).type = {{{1, 8, keys, keys}}, "float32"};
  return check(builder).findings().size();
}
} // namespace

TEST_CASE("unlike-ranges tells what is joined with numbers that are much larger") {
  CHECK(joined({{"sigmoid", 0}}, {{"sigmoid", 0}, {"mul", 640}}) == 1);
  CHECK(joined({{"mul", 4.1}}, {{"softmax", 0}, {"view", 0}}) == 1);
}

TEST_CASE("unlike-ranges is silent on what is joined with numbers that are alike") {
  CHECK(joined({{"sigmoid", 0}}, {{"sigmoid", 0}}) == 0);
  CHECK(joined({{"sigmoid", 0}}, {{"mul", 3.9}}) == 0);
  CHECK(joined({{"relu", 0}}, {{"mul", 640}}) == 0);
}

TEST_CASE("unlike-ranges tells what is bounded by any function of something bounded") {
  CHECK(joined({{"tanh", 0}, {"mul", 0.02}}, {{"mul", 0.2}}) == 1);
  CHECK(joined({{"tanh", 0}, {"mul", 0.02}}, {{"mul", 0.1}}) == 0);
  CHECK(joined({{"sigmoid", 0}, {"sqrt", 0}}, {{"mul", 5}}) == 1);
}

TEST_CASE("unlike-ranges tells what is padded with a number that is much larger") {
  CHECK(alone({{"sigmoid", 0}, {"pad", -999}}, "value") == 1);
  CHECK(alone({{"sigmoid", 0}, {"pad", -9}}, "value") == 0);
  CHECK(alone({{"neg", 0}, {"pad", -999}}, "value") == 0);
}

TEST_CASE("unlike-ranges tells a grid that leaves few steps of what it is added to") {
  CHECK(added("sigmoid", 17) == 1);
  CHECK(added("sigmoid", 15) == 0);
  CHECK(added("relu", 17) == 0);
}

TEST_CASE("unlike-ranges tells a constant that leaves nothing of what it is added to") {
  CHECK(alone({{"mul", 0.05}, {"add", 1000}}) == 1);
  CHECK(alone({{"add", 130}}) == 1);
}

TEST_CASE("unlike-ranges is silent on constants of the order of what they are added to") {
  CHECK(alone({{"add", 1}}) == 0);
  CHECK(alone({{"add", 120}}) == 0);
}

TEST_CASE("unlike-ranges tells a softmax over many keys, whose probabilities are multiplied") {
  CHECK(attention(1024, "matmul") == 1);
  CHECK(attention(1024, "einsum") == 1);
  CHECK(attention(1023, "matmul") == 0);
  CHECK(attention(4096, "argmax") == 0);
}

TEST_CASE("unlike-ranges tells the logarithm of a probability") {
  CHECK(alone({{"softmax", 0}, {"clamp", 1e-7}, {"log", 0}}) == 1);
  CHECK(alone({{"sigmoid", 0}, {"log", 0}}) == 1);
  CHECK(alone({{"log_softmax", 0}}) == 0);
  CHECK(alone({{"abs", 0}, {"clamp", 1e-7}, {"log", 0}}) == 0);
}
