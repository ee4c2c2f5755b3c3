#include "support/sample_graph.h"
#include "validators/checks.h"

#include <model_validator/target_profile.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

TargetProfile board() {
  TargetProfile profile;
  profile.name = "board";
  profile.refusal = "no kernel for {operator}";
  profile.operators["aten::relu"];
  profile.operators["aten::conv2d"];
  profile.replacements["aten::selu"].text = "use nn.ELU instead";
  return profile;
}

Diagnostics check(const ConnectedGraph& graph, const std::vector<const TargetProfile*>& targets) {
  const ModuleTables tables;
  Context context;
  context.tables = &tables;
  context.targets = targets;
  const Validator& validator = checks::unsupported_ops;
  Diagnostics diagnostics(validator.info());
  validator.run(graph, context, diagnostics);
  return diagnostics;
}

Diagnostics check(const ConnectedGraph& graph, const TargetProfile& target = board()) {
  return check(graph, std::vector{&target});
}

Operator code(const std::string& schema, int line) {
  Operator op;
  op.schema = schema;
  op.source = {"net.py", line, 4, 0};
  return op;
}

} // namespace

TEST_CASE("an operator without an entry is reported with place, reason and replacement") {
  SampleGraph builder;
  builder.functional("selu", "aten::selu_", builder.frame(20, 12));
  const Diagnostics found = check(builder.graph);
  REQUIRE(found.findings().size() == 1);
  const Diagnostic& finding = found.findings().front();
  CHECK(finding.code == "TGT001");
  CHECK(finding.severity == Severity::error);
  CHECK(finding.message ==
        "operator `aten::selu` cannot be compiled for `board`: no kernel for aten::selu");
  CHECK(finding.help == "use nn.ELU instead");
  CHECK(finding.op->name == "selu_0");
  CHECK(finding.locations.at(0).source.line == 20);
}

TEST_CASE("the opset is named, and a replacement that nobody knows is not invented") {
  TargetProfile target = board();
  target.opset = 17;
  target.replacements.clear();
  SampleGraph builder;
  builder.functional("celu", "aten::celu");
  const Diagnostics found = check(builder.graph, target);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message.find("for `board` (opset 17): ") != std::string::npos);
  CHECK(found.findings()[0].help.empty());
}

TEST_CASE("operators that the target has are no finding") {
  SampleGraph builder;
  builder.functional("relu", "aten::relu_");
  builder.call(builder.module("conv", "torch.nn.modules.conv.Conv2d"), builder.frame(3), 1, none,
               {code("aten::conv2d", 40)});
  CHECK(check(builder.graph).findings().empty());
  CHECK(check(builder.graph).summaries().empty());
}

TEST_CASE("without a target nothing is judged") {
  SampleGraph builder;
  builder.functional("selu", "aten::selu");
  CHECK(check(builder.graph, std::vector<const TargetProfile*>{}).findings().empty());
}

TEST_CASE("a module is judged by what it runs, in one finding") {
  SampleGraph builder;
  builder.call(builder.module("act", "torch.nn.modules.activation.Mish"), builder.frame(3), 1, none,
               {code("aten::mish", 40), code("aten::celu", 41), code("aten::relu", 42)});
  const Diagnostics found = check(builder.graph);
  REQUIRE(found.findings().size() == 1);
  const Diagnostic& finding = found.findings().front();
  CHECK(finding.module == "act");
  CHECK(finding.message.starts_with("operators `aten::mish`, `aten::celu` cannot be compiled"));
  CHECK(finding.notes == std::vector<std::string>{"`aten::celu`: no kernel for aten::celu"});
}

TEST_CASE("each target is judged for itself") {
  TargetProfile other = board();
  other.name = "other";
  other.operators["aten::selu"];
  const TargetProfile first = board();
  SampleGraph builder;
  builder.functional("selu", "aten::selu");
  const Diagnostics found = check(builder.graph, {&first, &other});
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message.find("`board`") != std::string::npos);
}

TEST_CASE("an op that reaches no output is not a finding where the front end shows it") {
  SampleGraph builder;
  builder.functional("selu", "aten::selu");
  builder.graph.file_operators = {code("aten::relu", 3)};
  CHECK(check(builder.graph).findings().empty());
  builder.graph.file_operators.push_back(code("aten::selu_", 4));
  CHECK(check(builder.graph).findings().size() == 1);
}

TEST_CASE("code in dead arms is judged where the converter reads it, and only there") {
  SampleGraph builder;
  builder.graph.origin.format = FileFormat::torchscript;
  builder.functional("relu", "aten::relu");
  builder.graph.file_operators = {code("aten::relu", 3), code("aten::selu", 7),
                                  code("aten::selu", 8)};
  TargetProfile target = board();
  target.replacements.clear();
  const Diagnostics found = check(builder.graph, target);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].locations.at(0).source.line == 7);
  CHECK(found.findings()[0].help.find("torch.jit.freeze") != std::string::npos);
  target.frozen = true;
  CHECK(check(builder.graph, target).findings().empty());
}

TEST_CASE("what freezing leaves of lists and dicts is judged where the converter freezes") {
  SampleGraph builder;
  builder.functional("relu", "aten::relu");
  builder.graph.file_operators = {code("aten::relu", 3), code("prim::DictConstruct", 7)};
  builder.graph.file_operators.back().attributes = {{"frozen", true}};
  TargetProfile target = board();
  CHECK(check(builder.graph, target).findings().empty());
  target.frozen = true;
  const Diagnostics found = check(builder.graph, target);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].op->type == "DictConstruct");
  CHECK(found.findings()[0].help.empty());
  CHECK(found.findings()[0].notes.empty());
}

TEST_CASE("all the code is judged where the converter builds all of it, and only there") {
  SampleGraph builder;
  builder.graph.origin.format = FileFormat::torchscript;
  builder.functional("relu", "aten::relu");
  const auto whole = [](const std::string& schema, const std::string& use) {
    Operator op = code(schema, 7);
    op.attributes = {{"use", std::vector<std::string>{"attribute", use}}, {"whole", true}};
    return op;
  };
  builder.graph.file_operators = {code("aten::relu", 3), whole("prim::RaiseException", ""),
                                  whole("aten::relu", "attribute self")};
  TargetProfile target = board();
  NodeCondition attribute;
  attribute.attribute = "use";
  attribute.is = {std::string("attribute self")};
  target.file.refused["aten::relu"] = {{{attribute}, "its name is read"}};
  CHECK(check(builder.graph, target).findings().empty());
  target.whole_code = true;
  const Diagnostics found = check(builder.graph, target);
  REQUIRE(found.findings().size() == 2);
  CHECK(found.findings()[0].op->type == "RaiseException");
  CHECK(found.findings()[1].message.find("its name is read") != std::string::npos);
}

TEST_CASE("what only all the code has does not make an op of a dead arm one that is judged") {
  SampleGraph builder;
  builder.graph.origin.format = FileFormat::torchscript;
  builder.functional("selu", "aten::selu");
  builder.graph.file_operators = {code("aten::relu", 3), code("aten::selu", 4)};
  builder.graph.file_operators.back().attributes = {{"whole", true}};
  TargetProfile target = board();
  CHECK(check(builder.graph, target).findings().empty());
  target.whole_code = true;
  CHECK(check(builder.graph, target).findings().size() == 1);
}

TEST_CASE("conditions apply to operators in the code, but not to unknown arguments") {
  SampleGraph builder;
  builder.functional("relu", "aten::relu");
  builder.graph.file_operators = {code("aten::relu", 3), code("prim::GetAttr", 7)};
  TargetProfile target = board();
  NodeCondition text, computed;
  text.attribute = "result";
  text.is = {std::string("str")};
  computed.attribute = "value";
  computed.or_absent = true;
  target.operators["prim::GetAttr"];
  target.file.refused["prim::GetAttr"] = {{{text}, "a string cannot be converted"},
                                          {{computed}, "not constant"}};
  CHECK(check(builder.graph, target).findings().empty());
  builder.graph.file_operators.back().attributes = {{"result", std::string("str")}};
  const Diagnostics found = check(builder.graph, target);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message ==
        "operator `prim::GetAttr` cannot be compiled for `board`: a string cannot be converted");
}

TEST_CASE("what a model returns is judged only by conditions") {
  SampleGraph builder;
  builder.functional("relu", "aten::relu");
  Operator returned = code("prim::Return", 9);
  returned.attributes = {{"result", std::string("NoneType")}};
  builder.graph.file_operators = {code("aten::relu", 3), returned};
  TargetProfile target = board();
  CHECK(check(builder.graph, target).findings().empty());
  NodeCondition none_type;
  none_type.attribute = "result";
  none_type.is = {std::string("NoneType")};
  target.operators["prim::Return"];
  target.file.refused["prim::Return"] = {{{none_type}, "no None"}};
  CHECK(check(builder.graph, target).findings().size() == 1);
}

TEST_CASE("shapes and dtypes of an op's operands are checked") {
  GraphBuilder graph;
  const auto input = [&graph](std::vector<std::int64_t> shape) {
    Op op;
    op.kind = OpKind::input;
    op.name = "x" + std::to_string(graph.op_count());
    op.outputs = {{std::move(shape), "float32"}};
    return graph.add_op(std::move(op));
  };
  const OpId first = input({2, 3, 4});
  const OpId second = input({0});
  Op cat;
  cat.name = cat.type = "cat";
  cat.schema = "aten::cat";
  const OpId id = graph.add_op(std::move(cat));
  graph.add_product(first, id, {"x0", 0, 0, graph.op(first).outputs[0]});
  graph.add_product(second, id, {"x1", 0, 1, graph.op(second).outputs[0]});
  TargetProfile target = board();
  target.operators["aten::cat"];
  CHECK(check(graph, target).findings().empty());
  NodeCondition mixed;
  mixed.mixed = "ranks";
  target.file.refused["aten::cat"] = {{{mixed}, "all of one rank"}};
  CHECK(check(graph, target).findings().size() == 1);
}

TEST_CASE("default arguments of forward are judged where a target refuses them") {
  GraphBuilder graph;
  Op input;
  input.name = "mask";
  input.kind = OpKind::input;
  input.attributes = {{"default", AttributeValue{}}};
  graph.add_op(input);
  CHECK(check(graph).findings().empty());
  TargetProfile target = board();
  target.default_arguments = "every argument needs a tensor";
  const Diagnostics found = check(graph, target);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message.find("every argument needs a tensor") != std::string::npos);
  graph.origin.traced = true;
  CHECK(check(graph, target).findings().empty());
}

TEST_CASE("the log names the ops as AIMET's would") {
  SampleGraph builder;
  builder.functional("selu", "aten::selu");
  const Diagnostics found = check(builder.graph);
  REQUIRE(found.summaries().size() == 2);
  CHECK(found.summaries()[0].starts_with(
      "Ops that target board does not support: ['selu_0']\nThis can be due to several reasons:"));
  CHECK(found.summaries()[1] == "selu_0; op_type: selu   parent module: Net");
}

TEST_CASE("a target of another format is not judged, which is reported") {
  SampleGraph builder;
  builder.functional("relu", "onnx::Relu", builder.frame(20, 12));
  builder.graph.origin.format = FileFormat::onnx;
  const Diagnostics found = check(builder.graph);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings().front().severity == Severity::warning);
  CHECK(found.findings().front().help.find("onnxruntime") != std::string::npos);

  TargetProfile runtime;
  runtime.name = "runtime";
  runtime.operators["onnx::Relu"];
  CHECK(check(builder.graph, runtime).findings().empty());
  builder.graph.origin.format = FileFormat::torchscript;
  CHECK(check(builder.graph, runtime).findings().size() == 1);
}

TEST_CASE("with inputs the recorded graph is judged, and the unchanged file is reported as well") {
  SampleGraph builder;
  builder.graph.origin.format = FileFormat::torchscript;
  const OpId runs = builder.functional("selu", "aten::selu");
  builder.functional("celu", "aten::celu");
  builder.graph.file_operators = {code("aten::selu", 20), code("aten::celu", 21),
                                  code("aten::__isnot__", 22)};
  CHECK(check(builder.graph).findings().size() == 3);
  builder.graph.recorded_operators = {{runs, "aten::selu"}};
  const Diagnostics found = check(builder.graph);
  REQUIRE(found.findings().size() == 2);
  CHECK(found.findings()[0].op->name == "selu_0");
  CHECK(found.findings()[1].severity == Severity::info);
  CHECK(found.findings()[1].message ==
        "only what runs with these inputs was judged: the file itself also has `aten::__isnot__`, "
        "`aten::celu`, which cannot be compiled for `board`");
}

TEST_CASE("nothing is reported about the unchanged file if the target takes it too") {
  SampleGraph builder;
  builder.graph.origin.format = FileFormat::torchscript;
  const OpId runs = builder.functional("relu", "aten::relu");
  builder.graph.file_operators = {code("aten::relu", 20)};
  builder.graph.recorded_operators = {{runs, "aten::relu"}};
  CHECK(check(builder.graph).findings().empty());
}
