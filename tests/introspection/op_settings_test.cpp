#include "introspection/op_settings.h"

#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

#include <numeric>

using namespace model_validator;
using Catch::Contains;

namespace {

GraphBuilder graph_of(const std::string& type, std::vector<Attribute> attributes,
                      const std::string& dtype = "float32", bool has_shape = false) {
  GraphBuilder graph;
  Op op;
  if (has_shape) op.outputs = {{std::vector<std::int64_t>{1, 4, 8, 5}, dtype}};
  op.name = type + "_0";
  op.type = type;
  op.attributes = std::move(attributes);
  graph.add_op(std::move(op));
  Parameter weight;
  weight.type.dtype = dtype;
  graph.add_parameter(std::move(weight));
  return graph;
}

std::string difference(const std::string& type, std::vector<Attribute> one,
                       std::vector<Attribute> other, const std::string& dtype = "float32") {
  const auto first = graph_of(type, std::move(one));
  const auto second = graph_of(type, std::move(other), dtype);
  return setting_difference(first, {0}, second, {0});
}

using Integers = std::vector<std::int64_t>;

} // namespace

TEST_CASE("a setting that differs is named, whatever the formats call it") {
  CHECK(difference("conv2d", {{"pads", Integers{1, 1, 1, 1}}}, {{"pads", Integers{2, 2, 0, 0}}}) ==
        "`pads` is (1, 1, 1, 1) against (2, 2, 0, 0)");
  CHECK_THAT(difference("conv2d", {{"padding", Integers{1, 1}}}, {{"pads", Integers{2, 2, 0, 0}}}),
             Contains("`padding`") && Contains("`pads`"));
  CHECK_THAT(difference("layer_norm", {{"eps", 1e-5}}, {{"epsilon", 1e-2}}),
             Contains("`epsilon` 0.01"));
  CHECK_THAT(difference("leaky_relu", {{"negative_slope", 0.1}}, {{"alpha", 0.2}}),
             Contains("0.2"));
  CHECK_THAT(difference("mul", {{"other", 1.5}}, {{"input1", 1.6}}), Contains("1.5"));
  CHECK_THAT(difference("gelu", {{"approximate", std::string("none")}},
                        {{"approximate", std::string("tanh")}}),
             Contains("tanh"));
  CHECK_THAT(difference("upsample", {{"align_corners", false}},
                        {{"coordinate_transformation_mode", std::string("align_corners")}}),
             Contains("`align_corners` is False against `coordinate_transformation_mode`"));
}

TEST_CASE("the same setting in the words of another format does not differ") {
  CHECK(difference("conv2d", {{"padding", Integers{1, 1}}}, {{"pads", Integers{1, 1, 1, 1}}})
            .empty());
  CHECK(difference("layer_norm", {{"eps", 1e-5}}, {{"epsilon", 9.999999747378752e-06}}).empty());
  CHECK(difference("softmax", {{"dim", std::int64_t{-1}}}, {{"axis", std::int64_t{3}}}).empty());
  CHECK(difference("conv2d", {{"stride", Integers{2, 2}}}, {}).empty());
  for (const bool aligns : {true, false}) {
    const std::string word = aligns ? "align_corners" : "pytorch_half_pixel";
    CHECK(difference("upsample", {{"align_corners", aligns}},
                     {{"coordinate_transformation_mode", word}})
              .empty());
  }
  CHECK(difference("batch_norm", {{"momentum", 0.1}}, {{"momentum", 0.9}}).empty());
  CHECK(difference("add", {{"alpha", std::int64_t{1}}, {"other", 2.0}}, {{"input1", 2.0}}).empty());
}

TEST_CASE("what a node leaves out has the value that ONNX gives it") {
  CHECK_THAT(difference("gelu", {{"approximate", std::string("tanh")}}, {}),
             Contains("`approximate` is 'tanh' against 'none'"));
  CHECK_THAT(difference("layer_norm", {}, {{"epsilon", 1e-3}}), Contains("0.001"));
  CHECK(difference("gelu", {{"approximate", std::string("none")}}, {}).empty());
  CHECK(difference("leaky_relu", {{"negative_slope", 0.01}}, {}).empty());
  const auto gelu = graph_of("gelu", {{"approximate", std::string("tanh")}});
}

TEST_CASE("operators say what another format has a setting for") {
  const auto words = [](const GraphBuilder& first, const GraphBuilder& second) {
    return setting_difference(first, {0}, second, {0});
  };
  const auto gelu = graph_of("gelu", {{"approximate", std::string("tanh")}});
  CHECK_THAT(words(gelu, graph_of("erf", {})), Contains("`approximate` is 'tanh' against `erf`"));
  CHECK(words(gelu, graph_of("tanh", {})).empty());
  CHECK(words(graph_of("erf", {}), graph_of("tanh", {})).empty());
  const auto linear = graph_of("interpolate", {{"mode", std::string("linear")}});
  CHECK_FALSE(words(graph_of("upsample_nearest2d", {}), linear).empty());
  CHECK(words(graph_of("upsample_bilinear2d", {}), linear).empty());
  const auto groups = graph_of("group_norm", {{"num_groups", std::int64_t{3}}});
  CHECK_FALSE(words(groups, graph_of("reshape", {{"shape", Integers{0, 4, -1}}})).empty());
  CHECK(words(groups, graph_of("reshape", {{"shape", Integers{0, 3, -1}}})).empty());
  CHECK(words(groups, graph_of("reshape", {{"shape", Integers{0, -1}}})).empty());
}

TEST_CASE("an operator beside the one with the setting says nothing of it") {
  const auto words = [](const std::vector<GraphBuilder>& first,
                        const std::vector<GraphBuilder>& second) {
    const auto all = [](const std::vector<GraphBuilder>& parts) {
      GraphBuilder graph;
      for (const GraphBuilder& part : parts) graph.add_op(part.op(0));
      return graph;
    };
    std::vector<OpId> ops(first.size()), others(second.size());
    std::iota(ops.begin(), ops.end(), 0);
    std::iota(others.begin(), others.end(), 0);
    return setting_difference(all(first), ops, all(second), others);
  };
  const auto exact = graph_of("gelu", {{"approximate", std::string("none")}});
  const auto plain = graph_of("gelu", {}), tanh = graph_of("tanh", {}), erf = graph_of("erf", {});
  CHECK(words({exact, tanh}, {tanh, plain}).empty());
  CHECK(words({exact, tanh}, {tanh, graph_of("relu", {})}).empty());
  CHECK(words({exact}, {graph_of("bias_gelu", {}), tanh}).empty());
  CHECK_FALSE(words({exact}, {graph_of("relu", {}), tanh}).empty());
  const auto fast = graph_of("gelu", {{"approximate", std::string("tanh")}});
  CHECK(words({fast, erf}, {fast, erf}).empty());
  const auto groups = graph_of("group_norm", {{"num_groups", std::int64_t{3}}});
  const auto reshape = graph_of("reshape", {{"shape", Integers{0, 4, -1}}});
  CHECK(words({groups}, {graph_of("skip_group_norm", {}), reshape}).empty());
  CHECK_FALSE(words({groups}, {graph_of("instance_norm", {}), reshape}).empty());
}

TEST_CASE("axes of different operators are not compared") {
  const auto sum = graph_of("sum", {{"dim", std::int64_t{1}}});
  CHECK(setting_difference(sum, {0}, graph_of("cat", {{"axis", std::int64_t{0}}}), {0}).empty());
  CHECK_FALSE(
      setting_difference(sum, {0}, graph_of("sum", {{"axis", std::int64_t{0}}}), {0}).empty());
}

TEST_CASE("an axis may be counted from either end where the rank is known") {
  const auto first = graph_of("softmax", {{"dim", std::int64_t{-1}}});
  const auto same = graph_of("softmax", {{"axis", std::int64_t{3}}}, "float32", true);
  const auto other = graph_of("softmax", {{"axis", std::int64_t{2}}}, "float32", true);
  const auto unknown = graph_of("softmax", {{"axis", std::int64_t{2}}});
  CHECK(setting_difference(first, {0}, same, {0}).empty());
  CHECK_THAT(setting_difference(first, {0}, other, {0}), Contains("`axis` 2"));
  CHECK(setting_difference(first, {0}, unknown, {0}).empty());
}

TEST_CASE("settings of a copy in halves are rounded") {
  CHECK_THAT(difference("mul", {{"other", 1.6}}, {{"input1", 1.5996}}), Contains("1.5996"));
  CHECK(difference("mul", {{"other", 1.6}}, {{"input1", 1.5996}}, "float16").empty());
  CHECK_FALSE(difference("mul", {{"other", 1.6}}, {{"input1", 1.61}}, "float16").empty());
}

TEST_CASE("where an op stands for several operators, those of one name are compared") {
  const auto of_body = [](std::vector<Operator> body) {
    GraphBuilder graph;
    Op op;
    op.name = "conv2d_0";
    op.type = "conv2d";
    op.body = std::make_shared<const std::vector<Operator>>(std::move(body));
    graph.add_op(std::move(op));
    return graph;
  };
  const std::vector<Attribute> steps{{"strides", Integers{1, 1}}};
  const auto conv = [&](Integers pads) {
    return Operator{"onnx::Conv", {{"pads", std::move(pads)}, steps[0]}, {}, {}};
  };
  const Operator pad{"onnx::Pad", {{"pads", Integers{0, 0, 1, 1, 0, 0, 1, 1}}}, {}, {}};
  const auto padded = of_body({conv({1, 1, 1, 1})}), apart = of_body({pad, conv({0, 0, 0, 0})});
  CHECK_THAT(setting_difference(padded, {0}, apart, {0}), Contains("against (0, 0, 0, 0)"));
  CHECK(setting_difference(apart, {0}, apart, {0}).empty());
  CHECK(setting_difference(padded, {0}, of_body({pad, conv({1, 1, 1, 1})}), {0}).empty());
}

TEST_CASE("among ops of other kinds only what means the same is compared") {
  const auto region = [](const std::string& type, std::vector<Attribute> one,
                         const std::string& other_type, std::vector<Attribute> other) {
    const auto first = graph_of(type, std::move(one)),
               second = graph_of(other_type, std::move(other));
    return region_differences(first, {0}, second, {0}).setting;
  };
  const auto found =
      region("layer_norm", {{"eps", 1e-5}}, "skip_layer_normalization", {{"epsilon", 1e-2}});
  CHECK_THAT(found.words, Contains("`epsilon` 0.01"));
  CHECK(found.op == 0);
  CHECK(region("layer_norm", {{"eps", 1e-5}}, "skip_layer_normalization", {{"epsilon", 1e-5}})
            .words.empty());
  CHECK(region("sum", {{"dim", std::int64_t{1}}}, "concat", {{"axis", std::int64_t{2}}})
            .words.empty());
  CHECK(region("tile", {{"repeats", Integers{1, 2}}}, "tile", {{"repeats", Integers{1, 1, 2}}})
            .words.empty());
}

TEST_CASE("a number is missed, or another, whatever operator has it") {
  const auto region = [](const std::string& type, std::vector<Attribute> one,
                         const std::string& other_type, std::vector<Attribute> other) {
    const auto first = graph_of(type, std::move(one)),
               second = graph_of(other_type, std::move(other));
    return region_differences(first, {0}, second, {0}).constant.words;
  };
  CHECK_THAT(region("mul", {{"other", 0.5}}, "mul", {}), Contains("constant 0.5"));
  CHECK_THAT(region("mul", {{"other", 0.5}}, "mul", {{"other", 0.25}}), Contains("0.25"));
  CHECK(region("mul", {{"other", 0.5}}, "gemm", {}).empty());
  CHECK(region("mul", {{"other", 0.5}}, "div", {{"other", 2.0}}).empty());
  CHECK_THAT(region("mul", {{"other", 0.5}}, "div", {{"other", 4.0}}),
             Contains("`other` of `mul` is 0.5") && Contains("`other` of `div` 4"));
  CHECK(region("sub", {{"other", 0.5}}, "add", {{"input1", -0.5}}).empty());
  CHECK_FALSE(region("div", {{"input0", 0.5}}, "mul", {{"other", 2.0}}).empty());
  CHECK(region("mul", {{"other", 1.0}}, "mul", {}).empty());
  CHECK(region("add", {{"other", 0.0}}, "add", {}).empty());
  CHECK_FALSE(region("add", {{"other", 1.0}}, "add", {}).empty());
  CHECK_THAT(region("mul", {{"other", 0.5}}, "sqrt", {}), Contains("nothing in place"));
}

TEST_CASE("a number that an optimiser made a setting of what it joined is one of arithmetic") {
  const auto words = [](double divisor, std::vector<Attribute> fused, const std::string& type) {
    const auto first = graph_of("div", {{"input1", divisor}}), second = graph_of(type, fused);
    return region_differences(first, {0}, second, {0}).constant.words;
  };
  CHECK(words(4, {{"alpha", 0.25}}, "fused_mat_mul").empty());
  CHECK_THAT(words(4, {{"alpha", 0.5}}, "fused_mat_mul"), Contains("`alpha`") && Contains("0.5"));
  CHECK(words(4, {{"alpha", 1.0}}, "fused_mat_mul").empty()); // it may be in a weight
  const auto slope = graph_of("leaky_relu", {{"alpha", 0.2}});
  const auto fused = graph_of("fused_conv", {{"activation_params", std::vector<double>{0.01}}});
  CHECK_THAT(region_differences(slope, {0}, fused, {0}).constant.words, Contains("0.01"));
  const auto square = graph_of("pow", {{"exponent", 2.0}}), product = graph_of("mul", {});
  CHECK(region_differences(square, {0}, product, {0}).constant.words.empty());
}

TEST_CASE("a number that is no factor, term or bound is not one of arithmetic") {
  const auto words = [](const std::string& type, std::vector<Attribute> attributes) {
    const auto first = graph_of(type, std::move(attributes)),
               second = graph_of("mul", {{"input1", 0.5}});
    return region_differences(first, {0}, second, {0}).constant.words;
  };
  CHECK(words("dropout", {{"p", 0.1}}).empty());
  CHECK(words("alpha_dropout", {{"alpha", 0.1}}).empty());
  CHECK(words("layer_norm", {{"eps", 0.1}}).empty());
  CHECK(words("masked_fill", {{"value", -1e9}}).empty());
  CHECK_FALSE(words("leaky_relu", {{"negative_slope", 0.1}}).empty());
  CHECK_FALSE(words("hardtanh", {{"max_val", 6.0}}).empty());
}

TEST_CASE("an epsilon stands for what is added, and for nothing else") {
  const auto words = [](const std::string& type, const std::string& name, double number) {
    const auto first = graph_of(type, {{name, number}}),
               second = graph_of("simplified_layer_norm", {{"epsilon", 1e-3}});
    const auto one = region_differences(first, {0}, second, {0}).constant.words,
               other = region_differences(second, {0}, first, {0}).constant.words;
    CHECK(one.empty() == other.empty());
    return one;
  };
  CHECK_THAT(words("add", "input1", 1e-6), Contains("1e-06") && Contains("`epsilon`"));
  CHECK(words("add", "input1", 1e-3).empty());
  CHECK(words("mul", "input1", 0.5).empty());
}

TEST_CASE("a size that a shape leaves open is not compared") {
  CHECK(difference("reshape", {{"shape", Integers{0, 0, -1}}}, {{"shape", Integers{7, 2, 48}}})
            .empty());
  CHECK_FALSE(
      difference("reshape", {{"shape", Integers{2, 4}}}, {{"shape", Integers{4, 2}}}).empty());
}

TEST_CASE("pads and the words of a sampler are the same in each format's way") {
  const Integers torch{1, 2, 3, 4};
  CHECK(difference("pad", {{"pad", torch}}, {{"pads", Integers{0, 0, 3, 1, 0, 0, 4, 2}}}).empty());
  CHECK_FALSE(
      difference("pad", {{"pad", torch}}, {{"pads", Integers{0, 0, 3, 2, 0, 0, 4, 1}}}).empty());
  const auto sampler = [](std::int64_t number, const std::string& word) {
    return difference("grid_sampler", {{"interpolation_mode", number}}, {{"mode", word}});
  };
  CHECK(sampler(0, "bilinear").empty());
  CHECK(sampler(0, "linear").empty());
  CHECK_THAT(sampler(0, "nearest"), Contains("nearest"));
}
