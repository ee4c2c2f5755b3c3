#include "rules/file_node.h"
#include "support/run_check.h"
#include "support/sample_graph.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

struct NodeOfFile {
  std::string schema;
  std::vector<std::string> inputs;
  std::vector<Attribute> attributes = {};
  int opset = 17;
  bool unranked = false; ///< the first input
};

/// What is found in an ONNX file with these nodes, which are ops in the same order.
Diagnostics found_in(const std::vector<NodeOfFile>& nodes) {
  SampleGraph builder;
  builder.graph.origin.format = FileFormat::onnx;
  std::vector<test::FileNode> written;
  for (const NodeOfFile& node : nodes) {
    written.push_back({node.schema, {}, node.attributes, node.opset});
    for (const std::string& dtype : node.inputs)
      written.back().inputs.emplace_back(test::operand(dtype));
    written.back().inputs.front()->unranked = node.unranked;
  }
  auto program = std::make_shared<Program>(test::program_of(written));
  for (ProgramNode& node : program->nodes) {
    node.op = builder.functional("op", node.schema, builder.frame(10));
    node.name = "node_" + std::to_string(node.op);
  }
  builder.graph.program = std::move(program);
  return test::run_check(checks::invalid_node, builder.graph);
}

} // namespace

TEST_CASE("invalid-node tells the node and what its definition forbids") {
  const auto found = found_in({{"onnx::Relu", {"float32"}}, {"onnx::Concat", {"float32"}}});
  REQUIRE(found.findings().size() == 1);
  const Diagnostic& finding = found.findings()[0];
  CHECK(finding.message == "`Concat` is not valid in opset 17: the attribute `axis` is missing");
  CHECK(finding.op->name == "op_1");
  CHECK(finding.locations[0].source.line == 10);
}

TEST_CASE("invalid-node tells once what is wrong with many nodes") {
  const NodeOfFile wrong{.schema = "onnx::Add", .inputs = {"float32", "int64"}};
  const auto found = found_in({wrong, {"onnx::Relu", {"float32"}}, wrong, wrong});
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].notes[1] == "the same is wrong with 2 more nodes");
  CHECK(found.findings()[0].contradiction == "onnx::Add dtypes: 0 1: float32 int64");
}

TEST_CASE("invalid-node knows which operators an opset has") {
  const auto message = [](std::string schema, int opset) {
    const auto found =
        found_in({{.schema = std::move(schema), .inputs = {"float32"}, .opset = opset}});
    return found.findings().empty() ? std::string() : found.findings()[0].message;
  };
  CHECK(message("onnx::Gelu", 17) ==
        "`Gelu` is not valid in opset 17: the operator is new in opset 20");
  CHECK(message("onnx::Gelu", 20).empty());
  CHECK(message("onnx::Upsample", 17) ==
        "`Upsample` is not valid in opset 17: the operator was removed in opset 10");
  CHECK(message("onnx::Gelu", 0).empty());
  CHECK(message("onnx::Upsample", 1000).empty());
  CHECK(message("my.own::Gelu", 17).empty());
}

TEST_CASE("invalid-node stays silent about what is valid or not known") {
  CHECK(found_in({{"onnx::Add", {"float32", ""}},
                  {.schema = "onnx::Add", .inputs = {"float16", "float16"}, .unranked = true},
                  {"onnx::Concat", {"int64"}, {{"axis", std::int64_t{0}}}}})
            .findings()
            .empty());
}
