#include "rules/file_node.h"
#include "rules/judging/judge_node.h"
#include "rules/judging/node_schema.h"
#include "rules/onnx_schemas.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::FileNode;
using test::operand;

namespace {

FileNode node(const std::string& schema, std::vector<test::Operand> inputs,
              std::vector<Attribute> attributes = {}) {
  return {schema, std::move(inputs), std::move(attributes), 17};
}

std::optional<rules::SchemaBreach> breach_of(const FileNode& node) {
  const std::vector<OperatorVersion> versions = rules::versions_in_onnx(node.schema);
  const OperatorVersion* version = rules::version_in(versions, node.opset);
  REQUIRE(version != nullptr);
  const Program program = test::program_of({node});
  return rules::breach_of_schema(*version, {program, program.nodes[0]});
}

/// What ONNX says against a node in its opset; empty where it says nothing.
std::string fault(const FileNode& node) {
  const auto breach = breach_of(node);
  return breach ? breach->plain : "";
}

} // namespace

TEST_CASE("ONNX's operators are known by their versions") {
  CHECK(rules::newest_onnx_opset() >= 26);
  const auto gelu = rules::versions_in_onnx("onnx::Gelu");
  REQUIRE(!gelu.empty());
  CHECK(gelu.front().since == 20);
  CHECK(rules::version_in(gelu, 17) == nullptr);
  const auto upsample = rules::versions_in_onnx("onnx::Upsample");
  REQUIRE(upsample.size() == 4);
  CHECK_FALSE(rules::is_gone(*rules::version_in(upsample, 9)));
  CHECK(rules::is_gone(*rules::version_in(upsample, 17)));
  CHECK(rules::version_in(rules::versions_in_onnx("onnx::LayerNormalization"), 11) != nullptr);
  const auto concat = rules::versions_in_onnx("onnx::Concat");
  CHECK_FALSE(rules::version_in(concat, 1)->attributes.at("axis").required);
  CHECK(rules::version_in(concat, 13)->attributes.at("axis").required);
  CHECK(rules::versions_in_onnx("onnx::Zeros").empty());
  CHECK(rules::versions_in_onnx("com.microsoft::Gelu").size() == 1);
  CHECK_FALSE(rules::is_misnamed("com.microsoft::SomebodysOwn"));
  CHECK(rules::is_misnamed("onnx::SomebodysOwn"));
  CHECK(rules::versions_in_onnx("ai.onnx.ml::Scaler").empty());
}

TEST_CASE("what ONNX's definition of an operator forbids is told in a clause") {
  const ProgramValue half = operand("float16");
  const ProgramValue real = operand("float32");
  const ProgramValue whole = operand("int64");
  const Attribute axis{"axis", std::int64_t{1}};
  CHECK(fault(node("onnx::Concat", {real, real}, {axis})).empty());
  CHECK(fault(node("onnx::Concat", {real, real})) == "the attribute `axis` is missing");
  CHECK(fault(node("onnx::Concat", {real, real}, {{"axis", 1.0}})) ==
        "the attribute `axis` is a float, and must be an integer");
  CHECK(fault(node("onnx::Transpose", {real}, {{"perm", std::int64_t{1}}})) ==
        "the attribute `perm` is an integer, and must be a list of integers");
  CHECK(fault(node("onnx::Squeeze", {real}, {{"axes", std::vector<std::int64_t>{0}}})) ==
        "it has no attribute `axes`");
  CHECK(fault(node("onnx::Concat", {}, {axis})) == "it has 0 inputs, and takes at least 1");
  CHECK(fault(node("onnx::Relu", {real, real})) == "it has 2 inputs, and takes 1");
  CHECK(fault(node("onnx::Conv", {real})) == "it has 1 input, and takes at least 2");
  CHECK(fault(node("onnx::Gather", {test::Operand(), whole})) == "input 0 is left out");
  CHECK(fault(node("onnx::Add", {real, whole})) ==
        "input 0 is float32 and input 1 is int64, where both must have one dtype");
  CHECK(fault(node("onnx::Conv", {half, half, real})) ==
        "input 0 is float16 and input 2 is float32, where both must have one dtype");
  CHECK(fault(node("onnx::Sqrt", {whole})) ==
        "input 0 is int64, and must be one of bfloat16, float16, float32, float64");
  FileNode less = node("onnx::Less", {real, real});
  less.outputs = {operand("bool")};
  CHECK(fault(less).empty());
  less.outputs = {real};
  CHECK(fault(less) == "output 0 is declared float32, and is bool");
  CHECK(fault(node("onnx::Reshape", {real, real})) == "input 1 is float32, and must be int64");
}

TEST_CASE("the words that an attribute may be are known") {
  const ProgramValue real = operand("float32");
  const test::Operand left_out;
  const auto resize = [&](const std::string& attribute, const std::string& word) {
    return node("onnx::Resize", {real, left_out, real}, {{attribute, word}});
  };
  CHECK(fault(resize("mode", "cubicc")) ==
        "the attribute `mode` is `cubicc`, and must be one of nearest, linear, cubic");
  CHECK(fault(resize("mode", "cubic")).empty());
  CHECK(fault(resize("nearest_mode", "floor")).empty());
  CHECK(fault(resize("mode", "")).empty());
  const auto kind = [](const FileNode& node) { return breach_of(node)->kind; };
  CHECK(kind(resize("mode", "cubicc")) == "attribute-word");
  CHECK(kind(resize("mode", "Cubic")) == "attribute-case");
  CHECK(kind(resize("nearest_mode", "nearest")) == "attribute-word-own");
  FileNode linear = resize("nearest_mode", "nearest");
  linear.attributes.push_back({"mode", std::string("linear")});
  CHECK(fault(linear).empty()); // then it is not read
  const auto sampled = [&](const std::string& mode, int opset) {
    FileNode sample = node("onnx::GridSample", {real, real}, {{"mode", mode}});
    sample.opset = opset;
    return fault(sample);
  };
  CHECK(sampled("bilinear", 17).empty());
  CHECK(sampled("linear", 22).empty());
  CHECK(sampled("bilinear", 22) ==
        "the attribute `mode` is `bilinear`, and must be one of linear, nearest, cubic");
}

TEST_CASE("the activations of recurrent layers are known") {
  const ProgramValue real = operand("float32");
  const auto layer = [&](const std::string& schema, std::vector<std::string> activations) {
    return node(schema, {real, real, real}, {{"activations", std::move(activations)}});
  };
  CHECK(fault(layer("onnx::GRU", {"Sigmoid", "Softsign"})).empty());
  CHECK(fault(layer("onnx::LSTM", {"sigmoid", "TANH", "Tanh"})).empty());
  CHECK(fault(layer("onnx::GRU", {"Sigmoid", "Gelu"}))
            .starts_with("the attribute `activations` is `Gelu`, and must be one of Affine, "));
  CHECK(fault(layer("onnx::RNN", {"Tanh"})).empty());
  CHECK_FALSE(fault(layer("onnx::RNN", {"tanh"})).empty());
}

TEST_CASE("the number of a dtype is one that there is") {
  const ProgramValue real = operand("float32");
  const auto cast = [&](std::int64_t to) {
    return fault(node("onnx::Cast", {real}, {{"to", to}}));
  };
  CHECK(cast(10).empty());
  CHECK(cast(99) == "the attribute `to` is 99, which is the number of no dtype");
  CHECK(cast(0) == "the attribute `to` is 0, which is the number of no dtype");
  CHECK(fault(node("onnx::EyeLike", {real}, {{"dtype", std::int64_t{11}}})).empty());
  CHECK_FALSE(fault(node("onnx::EyeLike", {real}, {{"dtype", std::int64_t{-1}}})).empty());
}

TEST_CASE("a split is told its parts in one of two ways") {
  const auto split = [](std::vector<test::Operand> inputs) {
    FileNode node = ::node("onnx::Split", std::move(inputs), {{"num_outputs", std::int64_t{1}}});
    node.opset = 18;
    return fault(node);
  };
  CHECK(split({operand("float32")}).empty());
  CHECK(split({operand("float32"), operand("int64")}) ==
        "the attribute `num_outputs` and the input `split` exclude each other");
}

TEST_CASE("what is declared of a result is held against what it is") {
  FileNode cast = node("onnx::Cast", {operand("int64")}, {{"to", std::int64_t{1}}});
  cast.outputs = {operand("float32")};
  CHECK(fault(cast).empty());
  cast.outputs[0]->other_type = "float16";
  CHECK(fault(cast) == "output 0 is declared float16, and is float32");
}

TEST_CASE("an operator takes tensors, sequences or optionals") {
  const auto of_kind = [](ValueKind kind) {
    ProgramValue value = operand("float32");
    value.kind = kind;
    return value;
  };
  const ProgramValue tensor = of_kind(ValueKind::tensor), list = of_kind(ValueKind::sequence);
  CHECK(fault(node("onnx::Neg", {list})) == "input 0 is a sequence, and must be a tensor");
  CHECK(fault(node("onnx::SequenceLength", {tensor})) ==
        "input 0 is a tensor, and must be a sequence");
  CHECK(fault(node("onnx::SequenceInsert", {list, operand("int64")})) ==
        "input 0 is float32 and input 1 is int64, where both must have one dtype");
  FileNode taken = node("onnx::OptionalGetElement", {tensor});
  taken.opset = 15;
  CHECK(fault(taken) == "input 0 is a tensor, and must be an optional");
  taken.opset = 18;
  CHECK(fault(taken).empty());
  CHECK(fault(node("onnx::Identity", {list})).empty());
  FileNode passed = node("onnx::Identity", {operand("bfloat16")}); // of tensors more than of lists
  passed.opset = 23;
  CHECK(fault(passed).empty());
  CHECK(fault(node("onnx::Optional", {})) == "it has neither an input nor the attribute `type`");
  CHECK(fault(node("onnx::Optional", {tensor})).empty());
  CHECK(fault(node("onnx::Neg", {operand("float32")})).empty()); // it may be a tensor
}

TEST_CASE("ONNX says nothing against what is not known, or may be there") {
  const ProgramValue real = operand("float32");
  const test::Operand left_out;
  CHECK(fault(node("onnx::Add", {real, operand("")})).empty());
  CHECK(fault(node("onnx::Relu", {real}, {{"__note", std::string("mine")}})).empty());
  CHECK(fault(node("onnx::Clip", {real, left_out, real})).empty());
  CHECK(fault(node("onnx::Resize", {real, left_out, real})).empty());
  CHECK(fault(node("onnx::Where", {operand("bool"), real, real})).empty());
}
