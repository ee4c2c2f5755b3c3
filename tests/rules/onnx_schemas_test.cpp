#include "rules/judging/judge_node.h"
#include "rules/judging/node_schema.h"
#include "rules/onnx_schemas.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using rules::FileNode;
using rules::FileOperand;

namespace {

FileOperand operand(const std::string& dtype) { return {true, dtype, std::nullopt, false}; }

FileNode node(const std::string& schema, std::vector<FileOperand> inputs,
              std::vector<rules::FileAttribute> attributes = {}) {
  FileNode result;
  result.schema = schema;
  result.opset = 17;
  result.inputs = std::move(inputs);
  result.outputs = {operand("")};
  result.attributes = std::move(attributes);
  return result;
}

/// What ONNX says against a node in its opset; empty where it says nothing.
std::string fault(const FileNode& node) {
  const std::vector<OperatorVersion> versions = rules::versions_in_onnx(node.schema);
  const OperatorVersion* version = rules::version_in(versions, node.opset);
  REQUIRE(version != nullptr);
  const auto breach = rules::breach_of_schema(*version, node);
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
  CHECK(rules::versions_in_onnx("com.microsoft::Gelu").empty());
  CHECK(rules::versions_in_onnx("ai.onnx.ml::Scaler").empty());
}

TEST_CASE("what ONNX's definition of an operator forbids is told in a clause") {
  const FileOperand half = operand("float16");
  const FileOperand real = operand("float32");
  const FileOperand whole = operand("int64");
  const rules::FileAttribute axis{"axis", "i", std::int64_t{1}};
  CHECK(fault(node("onnx::Concat", {real, real}, {axis})).empty());
  CHECK(fault(node("onnx::Concat", {real, real})) == "the attribute `axis` is missing");
  CHECK(fault(node("onnx::Concat", {real, real}, {{"axis", "f", 1.0}})) ==
        "the attribute `axis` is a float, and must be an integer");
  CHECK(fault(node("onnx::Transpose", {real}, {{"perm", "i", std::int64_t{1}}})) ==
        "the attribute `perm` is an integer, and must be a list of integers");
  CHECK(fault(node("onnx::Squeeze", {real}, {{"axes", "is", std::vector<std::int64_t>{0}}})) ==
        "it has no attribute `axes`");
  CHECK(fault(node("onnx::Concat", {}, {axis})) == "it has 0 inputs, and takes at least 1");
  CHECK(fault(node("onnx::Relu", {real, real})) == "it has 2 inputs, and takes 1");
  CHECK(fault(node("onnx::Conv", {real})) == "it has 1 input, and takes at least 2");
  CHECK(fault(node("onnx::Gather", {FileOperand{false, "", std::nullopt, false}, whole})) ==
        "input 0 is left out");
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

TEST_CASE("ONNX says nothing against what is not known, or may be there") {
  const FileOperand real = operand("float32");
  const FileOperand left_out{false, "", std::nullopt, false};
  CHECK(fault(node("onnx::Add", {real, operand("")})).empty());
  CHECK(fault(node("onnx::Relu", {real}, {{"__note", "s", std::string("mine")}})).empty());
  CHECK(fault(node("onnx::Clip", {real, left_out, real})).empty());
  CHECK(fault(node("onnx::Resize", {real, left_out, real})).empty());
  CHECK(fault(node("onnx::Where", {operand("bool"), real, real})).empty());
}
