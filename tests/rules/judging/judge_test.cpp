#include "rules/judging/judge.h"

#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using rules::judge;
using rules::Judgement;
using rules::Refusal;

namespace {

TargetProfile profile_of(std::initializer_list<const char*> operators) {
  TargetProfile profile;
  profile.name = "board";
  profile.refusal = "no kernel for {operator}";
  for (const char* name : operators) profile.operators[name];
  return profile;
}

Operator op(const std::string& schema) {
  Operator result;
  result.schema = schema;
  return result;
}

std::vector<Judgement> judgements(const TargetProfile& profile, const ConnectedGraph& graph,
                                  OpId id) {
  return rules::judgements(profile, graph, rules::FileForm(profile, graph), id);
}

bool takes(const TargetProfile& profile, const std::string& schema) {
  return !judge(profile, op(schema));
}

} // namespace

TEST_CASE("an operator without an entry is refused in the target's words") {
  const std::optional<Refusal> refusal = judge(profile_of({"aten::relu"}), op("aten::selu"));
  REQUIRE(refusal);
  CHECK(refusal->name == "aten::selu");
  CHECK(refusal->reason == "no kernel for aten::selu");
  CHECK(refusal->replacement.empty());
}

TEST_CASE(
    "overload and in-place underscore do not matter to a target that asks for the base name") {
  const TargetProfile profile = profile_of({"aten::add", "aten::__and__"});
  CHECK(takes(profile, "aten::add"));
  CHECK(takes(profile, "aten::add.Tensor"));
  CHECK(takes(profile, "aten::add_.Tensor"));
  CHECK(takes(profile, "aten::__and__.Scalar"));
  const std::optional<Refusal> refusal = judge(profile, op("aten::__iand__.Scalar"));
  REQUIRE(refusal); // no converter finds `__and__` under it
  CHECK(refusal->name == "aten::__iand__");
  CHECK_FALSE(takes(profile, "aten::sub_.Tensor"));
}

TEST_CASE("a target may need an entry for each in-place operator") {
  TargetProfile profile = profile_of({"aten::add"});
  profile.inplace_distinct = true;
  CHECK(takes(profile, "aten::add.Tensor"));
  const std::optional<Refusal> refusal = judge(profile, op("aten::add_.Tensor"));
  REQUIRE(refusal);
  CHECK(refusal->name == "aten::add_");
}

TEST_CASE("a target may need an entry for each overload") {
  TargetProfile profile = profile_of({"aten::add.Tensor", "aten::relu"});
  profile.overloads = true;
  CHECK(takes(profile, "aten::add.Tensor"));
  CHECK(takes(profile, "aten::add_.Tensor"));
  CHECK_FALSE(takes(profile, "aten::add.Scalar"));
  CHECK_FALSE(takes(profile, "aten::add"));
  CHECK(takes(profile, "aten::relu"));
  CHECK(takes(profile, "aten::relu.default"));
  CHECK_FALSE(takes(profile, "aten::relu.out"));
}

TEST_CASE("what the target's passes remove is no reason to refuse") {
  TargetProfile profile = profile_of({"aten::relu"});
  CHECK_FALSE(takes(profile, "aten::warn"));
  profile.removed_by_passes = {"aten::warn"};
  CHECK(takes(profile, "aten::warn"));
}

TEST_CASE("an operator that is removed may be refused on a condition") {
  TargetProfile profile = profile_of({"aten::mul"});
  profile.removed_by_passes = {"aten::ravel"};
  NodeCondition of_two;
  of_two.attribute = "dim";
  of_two.is = {std::int64_t{2}};
  profile.file.refused["aten::ravel"] = {{{of_two}, "no second axis"}};
  CHECK(takes(profile, "aten::ravel"));
  Operator ravel = op("aten::ravel");
  ravel.attributes = {{"dim", std::int64_t{2}}};
  const std::optional<Refusal> refusal = judge(profile, ravel);
  REQUIRE(refusal);
  CHECK(refusal->reason == "no second axis");
}

TEST_CASE("a decomposed operator is refused for the parts that the target does not have") {
  TargetProfile profile = profile_of({"aten::mul", "aten::sigmoid"});
  profile.removed_by_passes = {"aten::silu"};
  profile.decomposed["aten::fft_ihfft"] = {"aten::_conj", "aten::_fft_r2c"};
  CHECK(takes(profile, "aten::silu"));
  const std::optional<Refusal> refusal = judge(profile, op("aten::fft_ihfft"));
  REQUIRE(refusal);
  CHECK(refusal->name == "aten::fft_ihfft");
  CHECK(refusal->reason == "it is decomposed, and no kernel for aten::_conj, aten::_fft_r2c");
}

TEST_CASE("a refusal may name the parts that it leaves behind") {
  TargetProfile profile = profile_of({"aten::softmax"});
  NodeCondition of_text;
  of_text.attribute = "dtype";
  of_text.types = {"string"};
  profile.file.refused["aten::softmax"] = {
      {{of_text}, "a conversion", Mishap::refused, {"aten::_to_copy"}}};
  Operator softmax = op("aten::softmax");
  CHECK_FALSE(judge(profile, softmax));
  softmax.attributes = {{"dtype", std::string("float64")}};
  const std::optional<Refusal> refusal = judge(profile, softmax);
  REQUIRE(refusal);
  CHECK(refusal->reason == "it is decomposed, and no kernel for aten::_to_copy");
  profile.decomposed["aten::softmax"] = {"aten::_softmax"};
  CHECK(judge(profile, softmax)->reason ==
        "it is decomposed, and no kernel for aten::_softmax, aten::_to_copy");
}

TEST_CASE("an overload that passes remove says nothing about the others") {
  TargetProfile profile = profile_of({"aten::relu"});
  profile.overloads = true;
  profile.removed_by_passes = {"aten::where"};
  CHECK(takes(profile, "aten::where"));
  CHECK_FALSE(takes(profile, "aten::where.self"));
}

TEST_CASE("an entry for an in-place operator takes precedence over the plain one") {
  TargetProfile profile = profile_of({"aten::mul"});
  profile.removed_by_passes = {"aten::uniform"};
  profile.decomposed["aten::uniform_"] = {"prims::uniform"};
  CHECK(takes(profile, "aten::uniform"));
  CHECK_FALSE(takes(profile, "aten::uniform_"));
}

TEST_CASE("an operator of a later opset is refused") {
  TargetProfile profile = profile_of({"aten::gelu"});
  profile.refusal = "{operator} is not in opset {opset}";
  profile.opset = 13;
  profile.operators["aten::gelu"] = 20;
  const std::optional<Refusal> refusal = judge(profile, op("aten::gelu"));
  REQUIRE(refusal);
  CHECK(refusal->reason == "aten::gelu is not in opset 13; it is supported from opset 20 on");
  profile.opset = 20;
  CHECK(takes(profile, "aten::gelu"));
}

TEST_CASE("a refusal gives its own reason, and the replacement the profile knows") {
  TargetProfile profile = profile_of({"aten::gelu"});
  NodeCondition approximate;
  approximate.attribute = "approximate";
  approximate.is_not = {std::string("none")};
  profile.file.refused["aten::gelu"] = {{{approximate}, "only the exact gelu"}};
  profile.replacements["aten::gelu"].text = "use nn.GELU(approximate='none')";
  Operator gelu = op("aten::gelu");
  gelu.attributes = {{"approximate", std::string("tanh")}};
  const std::optional<Refusal> refusal = judge(profile, gelu);
  REQUIRE(refusal);
  CHECK(refusal->reason == "only the exact gelu");
  CHECK(refusal->replacement == "use nn.GELU(approximate='none')");
  gelu.attributes = {{"approximate", std::string("none")}};
  CHECK_FALSE(judge(profile, gelu));
}

TEST_CASE("an argument that a converter leaves out is computed wrongly, and one whose values "
          "decide is no refusal") {
  TargetProfile profile = profile_of({"aten::avg_pool2d"});
  NodeCondition divisor;
  divisor.attribute = "divisor_override";
  divisor.argument = divisor.given = true;
  divisor.is_not = {std::string("None")};
  profile.file.refused["aten::avg_pool2d"] = {{{divisor}, "it is left out", Mishap::wrong}};
  Operator pool = op("aten::avg_pool2d");
  CHECK_FALSE(judge(profile, pool));
  pool.attributes = {{"divisor_override", std::int64_t{3}}};
  REQUIRE(judge(profile, pool));
  CHECK(judge(profile, pool)->mishap == Mishap::wrong);
  profile.file.refused["aten::avg_pool2d"].front().mishap = Mishap::depends;
  CHECK_FALSE(judge(profile, pool));
}

TEST_CASE("a replacement is offered for the arguments alone that it was checked with") {
  TargetProfile profile = profile_of({"aten::relu"});
  Replacement& replacement = profile.replacements["aten::diff"];
  replacement.text = "write `diff(v)` as `v[1:] - v[:-1]`";
  replacement.arguments = {{"n", std::int64_t{1}}, {"prepend", nullptr}};
  Operator diff = op("aten::diff");
  diff.attributes = {{"n", std::int64_t{1}}, {"prepend", std::monostate{}}};
  CHECK(judge(profile, diff)->replacement == replacement.text);
  diff.attributes[0].value = std::int64_t{2};
  CHECK(judge(profile, diff)->replacement.empty());
  diff.attributes = {{"n", std::int64_t{1}}}; // `prepend` is a tensor
  CHECK(judge(profile, diff)->replacement.empty());
}

TEST_CASE("a replacement for vectors is offered for vectors alone") {
  TargetProfile profile = profile_of({"aten::relu"});
  profile.replacements["aten::median"] = {"use topk", {}, {1}};
  for (const std::size_t rank : {1, 2}) {
    GraphBuilder graph;
    const OpId x = graph.add_op(Op{});
    Op median;
    median.schema = "aten::median";
    const OpId m = graph.add_op(median);
    graph.add_product(x, m, {"x", 0, 0, {std::vector<std::int64_t>(rank, 4), "float32"}});
    const std::vector<Judgement> found = judgements(profile, graph, m);
    REQUIRE(found.size() == 1);
    CHECK(found[0].refusal->replacement == (rank == 1 ? "use topk" : ""));
  }
}

TEST_CASE("an operator outside the table's scope is not judged") {
  const TargetProfile profile = profile_of({"aten::relu"});
  CHECK(takes(profile, "torch.nn.functional.gelu"));
  CHECK(takes(profile, "onnx::Conv"));
}

TEST_CASE("a vertex is judged by the operators it stands for") {
  GraphBuilder graph;
  Op module;
  module.kind = OpKind::module;
  module.type = "gelu";
  module.body = std::make_shared<const std::vector<Operator>>(
      std::vector{op("aten::selu"), op("aten::selu"), op("aten::relu"), op("aten::celu")});
  const OpId id = graph.add_op(std::move(module));
  const std::vector<Judgement> found = judgements(profile_of({"aten::relu"}), graph, id);
  REQUIRE(found.size() == 4);
  CHECK(found[0].refusal->name == "aten::selu");
  CHECK_FALSE(found[2].refusal);
  CHECK(found[2].evidence == "entry `aten::relu`");
  CHECK(found[3].refusal->name == "aten::celu");
}

TEST_CASE("inputs, outputs and constants are not judged, queries and control flow are") {
  const TargetProfile profile = profile_of({"aten::relu"});
  for (const OpKind kind : {OpKind::input, OpKind::output, OpKind::constant, OpKind::query,
                            OpKind::control_flow, OpKind::functional}) {
    GraphBuilder graph;
    Op vertex;
    vertex.kind = kind;
    vertex.schema = "prim::Something";
    const OpId id = graph.add_op(std::move(vertex));
    const bool judged =
        kind == OpKind::query || kind == OpKind::control_flow || kind == OpKind::functional;
    CHECK(judgements(profile, graph, id).size() == (judged ? 1 : 0));
  }
}

TEST_CASE("a class that can be quantised is taken, with or without a mapping") {
  TargetProfile profile;
  profile.modules.emplace();
  profile.modules->op_type_map["torch.nn.modules.activation.ReLU"] = "Relu";
  profile.modules->quantised_classes = {"torch.nn.modules.activation.ReLU",
                                        "torch.nn.modules.activation.SiLU"};
  GraphBuilder graph;
  Module root;
  graph.add_module(std::move(root));
  const auto judged = [&](const std::string& class_name, OpKind kind) {
    Module module;
    module.class_name = class_name;
    module.leaf = true;
    module.parent = 0;
    const ModuleId id = graph.add_module(std::move(module));
    Op call;
    call.kind = kind;
    (kind == OpKind::module ? call.module : call.parent) = id;
    return judgements(profile, graph, graph.add_op(std::move(call)));
  };
  const auto relu = judged("torch.nn.modules.activation.ReLU", OpKind::module);
  REQUIRE(relu.size() == 1);
  CHECK_FALSE(relu[0].refusal);
  CHECK(relu[0].undetermined.empty());
  const auto silu = judged("torch.nn.modules.activation.SiLU", OpKind::module);
  REQUIRE(silu.size() == 1);
  CHECK_FALSE(silu[0].refusal);
  CHECK(silu[0].undetermined.size() == 1);
  const auto own = judged("net.Scale", OpKind::functional);
  REQUIRE(own.size() == 1);
  CHECK(own[0].refusal);
  CHECK(own[0].name == "net.Scale");
}

TEST_CASE("a target that knows module classes judges those") {
  TargetProfile profile;
  profile.modules.emplace();
  profile.modules->op_type_map["torch.nn.modules.activation.ReLU"] = "Relu";
  const auto refused = [&profile](const std::string& class_name) {
    GraphBuilder graph;
    Module module;
    module.class_name = class_name;
    Op call;
    call.kind = OpKind::module;
    call.module = graph.add_module(std::move(module));
    const OpId id = graph.add_op(std::move(call));
    return judgements(profile, graph, id).at(0).refusal.has_value();
  };
  CHECK_FALSE(refused("torch.nn.modules.activation.ReLU"));
  CHECK(refused("torch.nn.modules.conv.Conv3d"));
}

TEST_CASE("operators of ONNX are judged by a target that lists some, and by no other") {
  CHECK(takes(profile_of({"aten::relu"}), "onnx::Conv"));
  CHECK(takes(profile_of({"onnx::Conv"}), "onnx::Conv"));
  CHECK_FALSE(takes(profile_of({"onnx::Relu"}), "onnx::Conv"));
}

TEST_CASE("a table applies to files of its own format") {
  ConnectedGraph onnx, torchscript;
  onnx.origin.format = FileFormat::onnx;
  torchscript.origin.format = FileFormat::torchscript;
  const TargetProfile of_onnx = profile_of({"onnx::Conv"}), of_torch = profile_of({"aten::relu"});
  CHECK(rules::knows_format(of_onnx, onnx));
  CHECK(rules::knows_format(of_torch, torchscript));
  CHECK_FALSE(rules::knows_format(of_torch, onnx));
  CHECK_FALSE(rules::knows_format(of_onnx, torchscript));
  CHECK(rules::knows_format(profile_of({"aten::relu", "onnx::Conv"}), onnx));
  CHECK(rules::knows_format(profile_of({"aten::relu", "onnx::Conv"}), torchscript));
}

TEST_CASE("a condition on a shape that the file does not have is undetermined") {
  TargetProfile profile = profile_of({"aten::relu"});
  NodeCondition deep;
  deep.input = 0;
  deep.rank_above = 2;
  const NodeRefusal flat{{deep}, "no more than two dimensions"};
  profile.file.refused["aten::relu"] = {flat};
  GraphBuilder graph;
  Op input, vertex;
  input.kind = OpKind::input;
  vertex.schema = "aten::relu";
  const OpId from = graph.add_op(std::move(input));
  const OpId id = graph.add_op(std::move(vertex));
  const auto found = [&](TensorType type) {
    GraphBuilder typed = graph;
    typed.add_product(from, id, {"x", 0, 0, std::move(type)});
    return judgements(profile, typed, id).at(0);
  };
  CHECK(found({}).undetermined == std::vector<std::string>{flat.reason});
  CHECK_FALSE(found({}).refusal);
  CHECK(found({std::vector<std::int64_t>{2, 3}, ""}).undetermined.empty());
  CHECK(found({std::vector<std::int64_t>{2, 3, 4}, ""}).refusal->reason == flat.reason);
}
