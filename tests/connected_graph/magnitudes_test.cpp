#include "connected_graph/magnitudes.h"
#include "support/sample_graph.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

using namespace model_validator;
using test::SampleGraph;

namespace {

/// A model with one chain of ops, each the first operand of the next, and the numbers of its
/// weights.
class Chain {
public:
  explicit Chain(std::vector<Attribute> given = {}) {
    last_ = sample_.op("x", OpKind::input);
    sample_.graph.op(last_).attributes = std::move(given);
  }

  Chain& then(const std::string& type, std::vector<Attribute> attributes = {},
              std::optional<std::vector<std::int64_t>> yields = std::nullopt) {
    const OpId op = sample_.functional(type, "aten::" + type, sample_.frame(3));
    sample_.graph.op(op).attributes = std::move(attributes);
    if (yields) sample_.graph.op(op).outputs = {{std::move(yields), "float32"}};
    return append(op);
  }
  Chain& linear(std::int64_t outputs, std::int64_t inputs, double weight) {
    const ModuleId id = sample_.module("l", "torch.nn.modules.linear.Linear");
    sample_.parameter(id, "weight", {outputs, inputs});
    const OpId op = sample_.call(id, sample_.frame(4));
    sample_.graph.op(op).parameters = sample_.graph.module(id).parameters;
    weight_ = weight;
    return append(op);
  }
  /// Both operands are the last result.
  Chain& with_itself(const std::string& type, std::vector<std::int64_t> shape) {
    const OpId op = sample_.functional(type, "aten::" + type, sample_.frame(3));
    const OpId before = last_;
    append(op, shape);
    sample_.edge(before, op, 1);
    return *this;
  }

  Chain& reduced(const std::string& type, std::vector<std::int64_t> from,
                 std::vector<std::int64_t> to) {
    const OpId op = sample_.functional(type, "aten::" + type, sample_.frame(3));
    sample_.graph.op(op).outputs = {{std::move(to), "float32"}};
    return append(op, from);
  }

  std::optional<Magnitude> last() {
    const auto found = magnitudes_of(sample_.graph, [this](const std::vector<std::string>& names) {
      return WeightSamples(names.size(), std::vector<double>{-weight_, weight_});
    });
    return found.ops.at(last_);
  }
  double peak() { return last().value().peak; }

private:
  Chain& append(OpId op, const std::vector<std::int64_t>& shape = {}) {
    sample_.edge(last_, op, 0);
    if (!shape.empty())
      for (const auto& edge :
           boost::make_iterator_range(boost::in_edges(op, sample_.graph.graph())))
        sample_.graph.product(edge).type = {shape, "float32"};
    last_ = op;
    return *this;
  }

  SampleGraph sample_;
  OpId last_ = none;
  double weight_ = 0;
};

WeightSamples none_read(const std::vector<std::string>& names) {
  return WeightSamples(names.size());
}

} // namespace

TEST_CASE("numbers of a model are as large as its layers and functions make them") {
  CHECK(Chain().then("relu").peak() == Approx(4));
  CHECK(Chain().then("mul", {{"other", 100.0}}).peak() == Approx(400));
  CHECK(Chain().then("mul", {{"other", 100.0}}).then("square").peak() == Approx(160000));
  CHECK(Chain().then("exp").peak() == Approx(std::exp(4.0)));
  CHECK(Chain().linear(8, 64, 0.5).last().value().deviation == Approx(std::sqrt(64) * 0.5));
  CHECK(Chain().linear(8, 64, 0.5).then("pow", {{"exponent", std::int64_t{2}}}).peak() ==
        Approx(16 * 16));
}

TEST_CASE("numbers have the bounds that a function gives them") {
  for (const char* bounded : {"sigmoid", "softmax", "tanh"})
    CHECK(Chain().then("mul", {{"other", 1e4}}).then(bounded).peak() <= 1);
  CHECK(Chain().then("mul", {{"other", 1e4}}).then("clamp", {{"min", -6.0}, {"max", 6.0}}).peak() ==
        6);
  CHECK(Chain().then("mul", {{"other", 1e4}}).then("layer_norm").peak() < 10);
}

TEST_CASE("a row of numbers, a remainder and a softplus have what they may reach") {
  CHECK(Chain().then("remainder", {{"other", 16.0}}).last().value().low == -16);
  CHECK(Chain().then("relu").then("remainder", {{"other", 16.0}}).last().value().low == 0);
  CHECK(Chain().then("linspace", {{"start", 0.0}, {"end", 710.0}}).peak() == 710);
  CHECK(Chain().then("mul", {{"other", 0.0}}).then("softplus").peak() == Approx(std::log(2.0)));
  CHECK(Chain().then("sigmoid").then("mul", {{"other", -3.0}}).last().value().low == -3);
}

TEST_CASE("an input has the range that it is given with") {
  const auto pixels = Chain({{"low", 0.0}, {"high", 255.0}}).last().value();
  CHECK(pixels.peak == 255);
  CHECK(pixels.low == 0);
  CHECK(Chain({{"low", -1.0}, {"high", 1.0}}).then("square").last().value().high == 1);
  CHECK(Chain({{"low", -3.0}, {"high", 2.0}}).then("abs").last().value().high == 3);
  CHECK(Chain({{"low", -3.0}, {"high", 2.0}}).then("relu").last().value().high == 2);
}

TEST_CASE("what is padded with a number may be that number") {
  CHECK(Chain().then("sigmoid").then("pad", {{"value", -999.0}}).last().value().low == -999);
  CHECK(Chain().then("sigmoid").then("pad", {{"value", -1e9}}).last().value().low == 0);
  CHECK(Chain().then("sigmoid").then("pad", {{"mode", "reflect"}}).last().value().high == 1);
}

TEST_CASE("what is divided by its own norm is within one") {
  SampleGraph sample;
  const OpId input = sample.op("x", OpKind::input);
  const OpId other = sample.op("y", OpKind::input);
  const OpId norm = sample.functional("norm", "aten::norm", sample.frame(3));
  const OpId kept = sample.functional("clamp_min", "aten::clamp_min", sample.frame(3));
  sample.graph.op(kept).attributes = {{"min", 1e-3}};
  sample.edge(input, norm, 0);
  sample.edge(norm, kept, 0);
  const auto quotient_of = [&](OpId divided) {
    const OpId quotient = sample.functional("div", "aten::div", sample.frame(4));
    sample.edge(divided, quotient, 0);
    sample.edge(kept, quotient, 1);
    return magnitudes_of(sample.graph, none_read).ops.at(quotient);
  };
  CHECK(quotient_of(input).value().high == 1);
  CHECK(quotient_of(other).value_or(Magnitude{}).high > 1);
}

TEST_CASE("a product of many numbers grows and vanishes with them") {
  const auto product = [](double around) {
    Chain chain;
    chain.then("mul", {{"other", 0.01}}).then("add", {{"other", around}});
    return chain.reduced("prod", {8, 64}, {8}).peak();
  };
  CHECK(product(1.2) > 1e5);
  CHECK(product(1.0) < 10);
  CHECK(product(0.8) < 1e-5);
}

TEST_CASE("the second result of what picks elements is their places") {
  SampleGraph sample;
  const OpId input = sample.op("x", OpKind::input);
  const OpId picked = sample.functional("topk", "aten::topk", sample.frame(3));
  const OpId places = sample.functional("mul", "aten::mul", sample.frame(4));
  sample.graph.op(places).attributes = {{"other", 2.0}};
  sample.edge(input, picked, 0);
  sample.edge(picked, places, 0);
  for (const auto& edge : boost::make_iterator_range(boost::in_edges(picked, sample.graph.graph())))
    sample.graph.product(edge).type = {{{4, 100}}, "float32"};
  for (const auto& edge : boost::make_iterator_range(boost::in_edges(places, sample.graph.graph())))
    sample.graph.product(edge).output = 1;
  CHECK(magnitudes_of(sample.graph, none_read).ops.at(places).value().peak == 198);
}

TEST_CASE("a product of a value with itself may be a sum of squares") {
  CHECK(Chain().with_itself("matmul", {64, 64}).peak() >= 64);
  CHECK(Chain().then("sub", {{"other", 3.0}}).with_itself("sub", {4, 4}).peak() == 0);
}

TEST_CASE("nothing is said of what is not known") {
  CHECK_FALSE(Chain().then("reciprocal").last().has_value());
  CHECK_FALSE(Chain().then("div", {{"other", 0.0}}).last().has_value());
  CHECK_FALSE(Chain().then("mul", {{"other", 1e9}}).last().has_value());
  CHECK_FALSE(Chain().then("sqrt").last().has_value());
  CHECK(Chain().then("square").then("sqrt").last().has_value());
}

TEST_CASE("nothing is said of a batch norm whose statistics are not in the file") {
  for (const double variance : {0.0, 4.0}) {
    SampleGraph sample;
    const OpId input = sample.op("x", OpKind::input);
    const ModuleId id = sample.module("bn", "torch.nn.modules.batchnorm.BatchNorm2d");
    sample.parameter(id, "running_mean", {2}, 0, true).parameter(id, "running_var", {2}, 0, true);
    const OpId op = sample.call(id, sample.frame(4));
    sample.graph.op(op).parameters = sample.graph.module(id).parameters;
    sample.edge(input, op, 0);
    const auto found = magnitudes_of(sample.graph, [&](const std::vector<std::string>&) {
      return WeightSamples{std::vector<double>{0, 0}, std::vector<double>{variance, variance}};
    });
    CHECK(found.ops.at(op).has_value() == (variance > 0));
  }
}
