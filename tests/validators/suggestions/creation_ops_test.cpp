#include "support/sample_graph.h"
#include "validators/suggestions/creation_ops.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;
using Sizes = std::vector<std::int64_t>;

namespace {

constexpr std::int64_t float16 = 5;
constexpr std::int64_t float32 = 6;
constexpr std::int64_t int64 = 4;

MadeTensor made(const std::string& type, std::vector<Attribute> attributes) {
  SampleGraph builder;
  const OpId op = builder.functional(type, "aten::" + type);
  builder.graph.op(op).attributes = std::move(attributes);
  return made_tensor(builder.graph, op);
}

std::string expression(const std::string& type, std::vector<Attribute> attributes) {
  return made(type, std::move(attributes)).expression;
}

} // namespace

TEST_CASE("ops that make a tensor are distinguished from those that compute on one") {
  for (const char* type : {"zeros", "arange", "tensor", "full", "linspace", "empty", "ones", "eye",
                           "zeros_like", "full_like", "new_zeros", "randint"})
    CHECK(makes_tensor(type));
  for (const char* type : {"add", "linear", "relu", "cat", "one_hot", "new", "like"})
    CHECK_FALSE(makes_tensor(type));
}

TEST_CASE("a tensor of constants is written as Python makes it") {
  CHECK(expression("zeros", {{"size", Sizes{8}}}) == "torch.zeros(8)");
  CHECK(expression("ones", {{"size", Sizes{2, 3}}}) == "torch.ones(2, 3)");
  CHECK(expression("full", {{"size", Sizes{2, 3}}, {"fill_value", 0.5}}) ==
        "torch.full((2, 3), 0.5)");
  CHECK(expression("arange", {{"end", std::int64_t{8}}}) == "torch.arange(8)");
  CHECK(expression("arange", {{"start", std::int64_t{0}},
                              {"end", std::int64_t{8}},
                              {"step", std::int64_t{1}}}) == "torch.arange(8)");
  CHECK(expression("arange", {{"start", std::int64_t{0}},
                              {"end", std::int64_t{8}},
                              {"step", std::int64_t{2}}}) == "torch.arange(0, 8, 2)");
  CHECK(expression("linspace", {{"start", 0.0}, {"end", 1.0}, {"steps", std::int64_t{5}}}) ==
        "torch.linspace(0.0, 1.0, 5)");
  CHECK(expression("eye", {{"n", std::int64_t{4}}, {"m", AttributeValue()}}) == "torch.eye(4)");
  CHECK(expression("tensor", {{"data", std::vector<double>{0.5, 1.0}}}) ==
        "torch.tensor((0.5, 1.0))");
}

TEST_CASE("the overloads of torch.tensor for one number have another argument name") {
  for (const std::string type : {"tensor", "as_tensor"}) {
    CHECK(expression(type, {{"t", 0.5}}) == "torch." + type + "(0.5)");
    CHECK(expression(type, {{"t", std::int64_t{3}}, {"dtype", int64}}) == "torch." + type + "(3)");
    CHECK(expression(type, {{"t", std::int64_t{3}}, {"dtype", float32}}) ==
          "torch." + type + "(3, dtype=torch.float32)");
    CHECK(made(type, {{"dtype", AttributeValue()}}).obstacle ==
          "the file does not say what it creates");
  }
  CHECK_FALSE(made("zeros", {{"t", 0.5}}).obstacle.empty());
}

TEST_CASE("a dtype is written where torch would choose another") {
  const Attribute size = {"size", Sizes{8}};
  CHECK(expression("zeros", {size, {"dtype", float32}}) == "torch.zeros(8)");
  CHECK(expression("zeros", {size, {"dtype", AttributeValue()}}) == "torch.zeros(8)");
  CHECK(expression("zeros", {size, {"dtype", float16}}) == "torch.zeros(8, dtype=torch.float16)");
  CHECK(expression("zeros", {size, {"dtype", int64}}) == "torch.zeros(8, dtype=torch.int64)");
  CHECK(expression("arange", {{"end", std::int64_t{8}}, {"dtype", int64}}) == "torch.arange(8)");
  CHECK(expression("full", {size, {"fill_value", true}, {"dtype", float32}}) ==
        "torch.full((8,), True, dtype=torch.float32)");
}

TEST_CASE("what is not constant cannot be made once") {
  CHECK_FALSE(made("zeros", {}).obstacle.empty());
  CHECK_FALSE(made("full", {{"size", Sizes{8}}}).obstacle.empty());
  CHECK_FALSE(made("arange", {{"start", std::int64_t{0}}}).obstacle.empty());
  CHECK(made("rand", {{"size", Sizes{8}}}).obstacle == "it is drawn again in each run");
  CHECK(made("zeros", {{"size", Sizes{8}}}).obstacle.empty());
}

TEST_CASE("what is written into cannot be made once, nor what a view of is written into") {
  for (const std::string view : {"slice", "to", "contiguous"}) {
    INFO(view);
    SampleGraph builder;
    const OpId zeros = builder.functional("zeros", "aten::zeros");
    builder.graph.op(zeros).attributes = {{"size", Sizes{8}}};
    const OpId same_memory = builder.functional(view, "aten::" + view);
    const OpId sum = builder.functional("add", "aten::add.Tensor");
    builder.edge(zeros, same_memory).edge(same_memory, sum);
    CHECK(made_tensor(builder.graph, zeros).obstacle.empty());
    const OpId fill = builder.functional("fill", "aten::fill_.Scalar");
    builder.edge(same_memory, fill);
    CHECK(made_tensor(builder.graph, zeros).obstacle == "its result is written into");
  }
}

TEST_CASE("a tensor like a parameter of the module can be made once, like another cannot") {
  SampleGraph builder;
  builder.parameter(0, "weight", {8});
  const OpId like = builder.functional("zeros_like", "aten::zeros_like");
  builder.graph.op(like).parameters = builder.graph.module(0).parameters;
  CHECK(made_tensor(builder.graph, like).expression == "torch.zeros_like(self.weight)");
  const OpId other = builder.functional("zeros_like", "aten::zeros_like");
  builder.edge(builder.op("x_0", OpKind::input), other);
  CHECK_FALSE(made_tensor(builder.graph, other).obstacle.empty());
}

TEST_CASE("the arguments of an ONNX file are left open") {
  SampleGraph builder;
  const OpId full = builder.functional("full", "onnx::ConstantOfShape");
  CHECK(made_tensor(builder.graph, full).expression == "torch.full(...)");
}
