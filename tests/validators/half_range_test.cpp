#include "support/run_check.h"
#include "support/sample_graph.h"
#include "validators/checks.h"

#include <model_validator/half_rules.h>
#include <model_validator/target_profile.h>

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

using namespace model_validator;
using test::SampleGraph;

namespace {

/// An op of a chain, with one number among its arguments.
struct Link {
  std::string type;
  std::vector<Attribute> attributes = {};
};

Diagnostics halved(SampleGraph& builder) {
  TargetProfile target;
  target.half = std::make_shared<HalfRules>(HalfRules{65504, {}});
  return test::run_check(checks::half_range, builder.graph, {}, {},
                         [&](Context& context) { context.targets = {&target}; });
}

/// Each op takes the result of the one before it.
std::vector<std::string> found_in(const std::vector<Link>& chain) {
  SampleGraph builder;
  OpId last = builder.op("x", OpKind::input);
  for (const Link& link : chain) {
    const OpId op = builder.functional(link.type, "aten::" + link.type, builder.frame(3));
    builder.graph.op(op).attributes = link.attributes;
    builder.edge(last, op, link.type == "div" ? 1 : 0);
    last = op;
  }
  const Diagnostics found = halved(builder);
  std::vector<std::string> types;
  for (const Diagnostic& finding : found.findings()) types.push_back(finding.op->type);
  return types;
}

using Types = std::vector<std::string>;

} // namespace

TEST_CASE("half-range tells numbers that are zero in float16 where something is divided by them") {
  for (const char* divider : {"div", "rsqrt", "reciprocal", "log"})
    CHECK(found_in({{"add", {{"other", 1e-9}}}, {divider}}) == Types{divider});
  CHECK(found_in({{"clamp_min", {{"min", 1e-8}}}, {"sqrt"}, {"expand"}, {"div"}}) == Types{"div"});
}

TEST_CASE("half-range is silent on numbers that float16 holds, and where nothing is divided") {
  constexpr double rounds_up = 0x1.004p-25;
  CHECK(found_in({{"add", {{"other", 0x1p-25}}}, {"log"}}) == Types{"log"});
  CHECK(found_in({{"add", {{"other", rounds_up}}}, {"log"}}).empty());
  CHECK(found_in({{"add", {{"other", 1e-9}}}, {"mul"}}).empty());
}

TEST_CASE("half-range tells the logarithm of what leaves its range before it") {
  CHECK(found_in({{"softmax"}, {"log"}}) == Types{"log"});
  CHECK(found_in({{"sigmoid"}, {"view"}, {"log"}}) == Types{"log"});
  CHECK(found_in({{"exp"}, {"sum"}, {"log"}}) == Types{"log"});
  CHECK(found_in({{"exp"}, {"add", {{"other", 1.0}}}, {"log"}}) == Types{"log"});
}

TEST_CASE("half-range is silent on logarithms of what stays in its range") {
  CHECK(found_in({{"log_softmax"}}).empty());
  CHECK(found_in({{"softmax"}, {"add", {{"other", 1e-4}}}, {"log"}}).empty());
  CHECK(found_in({{"clamp", {{"max", 4.0}}}, {"exp"}, {"sum"}, {"log"}}).empty());
  CHECK(found_in({{"exp"}, {"add", {{"other", 1.0}}}, {"log"}, {"tanh"}}).empty());
  CHECK(found_in({{"relu"}, {"log"}}).empty());
}

TEST_CASE("half-range is silent on what the graph computes in float32") {
  constexpr std::int64_t torch_float = 6;
  constexpr std::int64_t torch_half = 5;
  const Link guard{"add", {{"other", 1e-9}}};
  CHECK(found_in({{"to", {{"dtype", torch_float}}}, guard, {"log"}}).empty());
  CHECK(found_in({{"to", {{"dtype", "float32"}}}, guard, {"log"}}).empty());
  CHECK(found_in(
            {{"to", {{"dtype", torch_float}}}, {"to", {{"dtype", torch_half}}}, guard, {"log"}}) ==
        Types{"log"});
}

TEST_CASE("half-range tells what is infinite where float16 rounds a number to 1") {
  CHECK(found_in({{"sigmoid"}, {"rsub", {{"other", 1.0}}}, {"div"}}) == Types{"div"});
  CHECK(found_in({{"softmax"}, {"rsub", {{"other", 1.0}}}, {"log"}}) == Types{"log"});
  CHECK(found_in({{"tanh"}, {"atanh"}}) == Types{"atanh"});
  CHECK(found_in({{"clamp", {{"max", 1 - 0x1p-12}}}, {"logit"}}) == Types{"logit"});
}

TEST_CASE("half-range is silent where a number is kept from 1, and where that is no harm") {
  CHECK(found_in({{"clamp", {{"max", 1 - 0x1p-11}}}, {"logit"}}).empty());
  CHECK(found_in({{"sigmoid"}, {"rsub", {{"other", 1.0}}}, {"mul"}}).empty());
  CHECK(found_in({{"layer_norm"}, {"atanh"}}).empty());
}

TEST_CASE("half-range tells ids and places that a conversion makes floats of") {
  const auto cast = [](double most, const std::string& from, const std::string& to) {
    SampleGraph builder;
    const OpId input = builder.op("ids", OpKind::input);
    builder.graph.op(input).attributes = {{"low", 0.0}, {"high", most}};
    const OpId op = builder.functional("to", "onnx::Cast", builder.frame(3));
    const OpId output = builder.op("y", OpKind::output);
    builder.edge(input, op, 0);
    builder.edge(op, output, 0);
    const auto& graph = builder.graph.graph();
    builder.graph.product(*boost::in_edges(op, graph).first).type.dtype = from;
    builder.graph.product(*boost::in_edges(output, graph).first).type.dtype = to;
    constexpr std::int64_t onnx_float = 1;
    builder.graph.op(op).attributes = {{"to", onnx_float}};
    return halved(builder).findings().size();
  };
  CHECK(cast(2049, "int64", "float32") == 1);
  CHECK(cast(2048, "int64", "float32") == 0);
  CHECK(cast(2049, "int64", "int32") == 0);
  CHECK(cast(2049, "float32", "float32") == 0);
}

TEST_CASE(
    "half-range holds a cast to float32 of ONNX for one only where a file is halved already") {
  const auto squared = [](const std::string& from) {
    SampleGraph builder;
    const OpId input = builder.op("x", OpKind::input);
    const OpId cast = builder.functional("to", "onnx::Cast", builder.frame(3));
    const OpId square = builder.functional("square", "aten::square", builder.frame(3));
    constexpr std::int64_t onnx_float = 1;
    builder.graph.op(cast).attributes = {{"to", onnx_float}};
    builder.graph.op(input).attributes = {{"low", 0.0}, {"high", 300.0}};
    builder.edge(input, cast, 0);
    builder.edge(cast, square, 0);
    const auto edges = boost::in_edges(cast, builder.graph.graph());
    builder.graph.product(*edges.first).type.dtype = from;
    return halved(builder).findings().size();
  };
  CHECK(squared("float16") == 0);
  CHECK(squared("float32") == 1);
}

TEST_CASE("half-range tells the first op whose numbers are likely to be beyond float16") {
  CHECK(found_in({{"mul", {{"other", 65.0}}}, {"square"}}) == Types{"square"});
  CHECK(found_in({{"mul", {{"other", 3.0}}}, {"exp"}}) == Types{"exp"});
  CHECK(found_in({{"mul", {{"other", 2e4}}}, {"abs"}, {"neg"}}) == Types{"mul"});
  CHECK(found_in({{"mul", {{"other", 2e4}}},
                  {"tanh"},
                  {"mul", {{"other", 2e4}}},
                  {"mul", {{"other", 4.0}}}}) == Types{"mul", "mul"});
}

TEST_CASE("half-range is silent on numbers that are likely to stay within float16") {
  CHECK(found_in({{"mul", {{"other", 63.0}}}, {"square"}}).empty());
  CHECK(found_in({{"mul", {{"other", 2.7}}}, {"exp"}}).empty());
  CHECK(found_in({{"mul", {{"other", 1e4}}}, {"sigmoid"}, {"square"}}).empty());
  constexpr std::int64_t torch_float = 6;
  CHECK(found_in({{"to", {{"dtype", torch_float}}}, {"mul", {{"other", 100.0}}}, {"square"}})
            .empty());
}

TEST_CASE("half-range tells a bounded number divided by what is clamped to a small one") {
  const auto quotient = [](const std::string& before, double least) {
    return found_in({{"abs"}, {before}, {"clamp", {{"min", least}}}, {"reciprocal"}});
  };
  CHECK(quotient("abs", 1.5e-5) == Types{"reciprocal"});
  CHECK(quotient("abs", 1.6e-5).empty());
  CHECK(quotient("sum", 1.5e-5).empty());
}

TEST_CASE("half-range tells angles between which float16 has wide steps") {
  CHECK(found_in({{"mul", {{"other", 65.0}}}, {"sin"}}) == Types{"sin"});
  CHECK(found_in({{"mul", {{"other", 63.0}}}, {"cos"}}).empty());
  CHECK(found_in({{"mul", {{"other", 1000.0}}}, {"tanh"}}).empty());
}

TEST_CASE("half-range tells stored numbers beyond float16") {
  for (const double largest : {1e5, 65504.0}) {
    SampleGraph builder;
    const ModuleId id = builder.module("norm", "torch.nn.modules.batchnorm.BatchNorm2d");
    builder.parameter(id, "running_var", {8});
    const OpId op = builder.call(id, builder.frame(4));
    builder.graph.op(op).parameters = builder.graph.module(id).parameters;
    TargetProfile target;
    target.half = std::make_shared<HalfRules>(HalfRules{65504, {}});
    const auto found =
        test::run_check(checks::half_range, builder.graph, {}, {}, [&](Context& context) {
          context.targets = {&target};
          context.sample_weights = [&](const std::vector<std::string>& names) {
            return WeightSamples(names.size(), std::vector<double>{1, largest});
          };
        });
    CHECK(found.findings().size() == (largest > 65504 ? 1 : 0));
  }
}
