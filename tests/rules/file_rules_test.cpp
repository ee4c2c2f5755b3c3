#include "connected_graph/file_nodes.h"
#include "rules/file_node.h"
#include "rules/judging/asked_node.h"
#include "rules/judging/judge_file.h"
#include "rules/judging/verdicts.h"
#include "rules/operator_version.h"

#include <catch2/catch.hpp>

#include <stdexcept>

using namespace model_validator;
using rules::Judgement;
using test::FileNode;
using test::operand;

namespace {

using Sizes = std::vector<std::int64_t>; ///< -1 where one is not known

FileNode node(const std::string& schema, std::vector<test::Operand> inputs,
              std::vector<Attribute> attributes = {}, int opset = 20) {
  return {schema, std::move(inputs), std::move(attributes), opset};
}

/// A runtime with three operators, whose records are written as profiles hold them.
TargetProfile runtime() {
  TargetProfile profile;
  profile.name = "board";
  profile.package = "board 2.0";
  profile.file.releases = {{"1.0", 8, {{"ai.onnx", 17}}}, {"2.0", 9, {{"ai.onnx", 20}}}};
  profile.release = profile.file.releases.back();
  profile.file.cast_to_float32 = {"float16"};
  const auto floats = std::make_shared<const std::vector<std::string>>(
      std::vector<std::string>{"float16", "float32", "float64"});
  const auto add = [&](const std::string& name, std::initializer_list<const char*> records) {
    profile.operators[name];
    for (const char* record : records)
      profile.file.versions[name].push_back(
          rules::parse_operator_version(record, {{"floats", floats}}));
  };
  add("onnx::Add",
      {"7 | T T | T | | T=floats | T=float32", "14 | T T | T | | T=floats | T=floats"});
  add("onnx::Erf", {"9 | T | T | | T=floats | T=float32"});
  add("onnx::Pad", {"13 | T int64 T? | T | mode:s | T=floats | *"});
  add("onnx::Concat", {"13 | T+ | T | axis:i! | T=floats | T=floats"});
  return profile;
}

Judgement judge_node(const TargetProfile& profile, const FileNode& each) {
  const Program program = test::program_of({each});
  return rules::judge_each(profile, program).front().second;
}

std::string reason(const FileNode& each, const TargetProfile& profile = runtime()) {
  const Judgement verdict = judge_node(profile, each);
  return verdict.refusal ? verdict.refusal->reason : "";
}

/// As the front end hands it over.
ConnectedGraph graph_of(const std::vector<FileNode>& nodes, int ir_version = 8, int opset = 17) {
  ConnectedGraph graph;
  graph.origin.format = FileFormat::onnx;
  graph.program = std::make_shared<const Program>(test::program_of(nodes));
  graph.file_nodes = std::make_shared<const FileNodes>(
      FileNodes{{{"ir_version", ir_version}, {"ai.onnx", opset}}});
  return graph;
}

} // namespace

TEST_CASE("a record of an operator's version is read in all its parts") {
  const OperatorVersion version =
      rules::parse_operator_version("13 | T int64 T? | T* | mode:s pads:is! * | T=float32 | *", {});
  CHECK(version.since == 13);
  REQUIRE(version.inputs.size() == 3);
  CHECK(version.inputs[1].type == "int64");
  CHECK(version.inputs[2].kind == OperatorVersion::Parameter::Kind::optional);
  CHECK(version.outputs[0].kind == OperatorVersion::Parameter::Kind::variadic);
  CHECK(version.attributes.at("pads").required);
  CHECK_FALSE(version.attributes.at("mode").required);
  CHECK(version.any_attribute);
  CHECK(version.takes_all);
  CHECK_THROWS_AS(rules::parse_operator_version("13 | T | T", {}), std::invalid_argument);
  CHECK_THROWS_AS(rules::parse_operator_version("x | T | T | | | *", {}), std::invalid_argument);
}

TEST_CASE("a kernel is looked for in the version of the operator that the opset means") {
  CHECK(reason(node("onnx::Add", {operand("float64"), operand("float64")})).empty());
  CHECK_THAT(reason(node("onnx::Add", {operand("float64"), operand("float64")}, {}, 13)),
             Catch::Contains("NOT_IMPLEMENTED") && Catch::Contains("Add(7)"));
  CHECK_THAT(reason(node("onnx::Add", {operand("float32"), operand("float32")}, {}, 6)),
             Catch::Contains("is not a registered function/op"));
}

TEST_CASE("what a runtime casts to float32 needs no kernel of its own") {
  CHECK(reason(node("onnx::Erf", {operand("float16")})).empty());
  CHECK_FALSE(reason(node("onnx::Erf", {operand("float64")})).empty());
}

TEST_CASE("a dtype that the file does not have decides nothing") {
  const Judgement verdict = judge_node(runtime(), node("onnx::Erf", {operand("")}));
  CHECK_FALSE(verdict.refusal);
  CHECK(verdict.undetermined.size() == 1);
  CHECK(judge_node(runtime(), node("onnx::Add", {operand(""), operand("")})).undetermined.empty());
}

TEST_CASE("a node must be what the schema of its operator says") {
  const Attribute axis{"axis", std::int64_t{0}};
  CHECK(reason(node("onnx::Concat", {operand("float32"), operand("float32")}, {axis})).empty());
  CHECK_THAT(reason(node("onnx::Concat", {operand("float32")})),
             Catch::Contains("Required attribute 'axis' is missing"));
  CHECK_THAT(reason(node("onnx::Concat", {}, {axis})), Catch::Contains("not in range [min=1"));
  CHECK_THAT(reason(node("onnx::Concat", {operand("float32"), operand("float64")}, {axis})),
             Catch::Contains("bound to different types"));
  CHECK_THAT(reason(node("onnx::Add", {operand("int8"), operand("int8")})),
             Catch::Contains("Type Error"));
  CHECK_THAT(reason(node("onnx::Erf", {operand("float32")}, {axis})),
             Catch::Contains("Unrecognized attribute: axis for operator Erf"));
  CHECK_THAT(reason(node("onnx::Concat", {operand("float32")}, {{"axis", 1.0}})),
             Catch::Contains("Mismatched attribute type"));
  CHECK_THAT(
      reason(node("onnx::Add", {operand("float32"), operand("float32"), operand("float32")})),
      Catch::Contains("input size 3"));
  FileNode yields = node("onnx::Erf", {operand("float32")});
  yields.outputs = {operand("float16")};
  CHECK_THAT(reason(yields), Catch::Contains("does not match expected type"));
}

TEST_CASE("a refusal that was observed holds where all of its conditions do") {
  TargetProfile profile = runtime();
  NodeCondition mode;
  mode.attribute = "mode";
  mode.is = {std::string("wrap")};
  NodeCondition rank;
  rank.input = 0;
  rank.ranks = {5};
  profile.file.refused["onnx::Pad"] = {{{mode, rank}, "no wrapping of volumes"}};
  const auto pad = [](const char* value, std::optional<std::size_t> dimensions) {
    const auto sizes = dimensions ? std::optional(Sizes(*dimensions, -1)) : std::nullopt;
    return node("onnx::Pad", {operand("float32", sizes), operand("int64")},
                {{"mode", std::string(value)}});
  };
  CHECK(reason(pad("wrap", 5), profile) == "no wrapping of volumes");
  CHECK(reason(pad("wrap", 4), profile).empty());
  CHECK(reason(pad("edge", 5), profile).empty());
  const Judgement undetermined = judge_node(profile, pad("wrap", std::nullopt));
  CHECK_FALSE(undetermined.refusal);
  CHECK(undetermined.undetermined ==
        std::vector<std::string>{"the file does not state the rank of input 0; with rank 5 it is "
                                 "refused: no wrapping of volumes"});
}

TEST_CASE("a number that must repeat a size is compared with it") {
  TargetProfile profile = runtime();
  NodeCondition heads;
  heads.attribute = "axis";
  heads.is_not_size = InputAxis{0, 1};
  profile.file.refused["onnx::Concat"] = {{{heads}, "another number of heads"}};
  const auto concat = [](Sizes sizes, std::vector<Attribute> attributes) {
    return node("onnx::Concat", {operand("float32", std::move(sizes))}, std::move(attributes));
  };
  const Attribute three{"axis", std::int64_t{3}};
  CHECK(reason(concat({1, 2, 4, 4}, {three}), profile) == "another number of heads");
  CHECK(reason(concat({1, 3, 4, 4}, {three}), profile).empty());
  const Judgement open = judge_node(profile, concat({1, -1, 4, 4}, {three}));
  CHECK_FALSE(open.refusal);
  CHECK(open.undetermined ==
        std::vector<std::string>{
            "the file does not state axis 1 of input 0; where `axis` is another number "
            "it is refused: another number of heads"});
}

TEST_CASE("a result is smaller than an operand where one of its axes is") {
  TargetProfile profile = runtime();
  NodeCondition smaller;
  smaller.output = 0;
  smaller.smaller_than_input = 0;
  profile.file.refused["onnx::Pad"] = {{{smaller}, "not smoothed"}};
  const auto pad = [](Sizes input, Sizes output) {
    FileNode made = node("onnx::Pad", {operand("float32", std::move(input)), operand("int64")});
    made.outputs = {operand("", std::move(output))};
    return made;
  };
  CHECK(reason(pad({1, 8, 8}, {1, 16, 4}), profile) == "not smoothed");
  CHECK(reason(pad({-1, 8, 8}, {-1, 4, 4}), profile) == "not smoothed");
  CHECK(reason(pad({1, 8, 8}, {1, 8, 16}), profile).empty());
  const Judgement open = judge_node(profile, pad({1, -1, 8}, {1, -1, 16}));
  CHECK_FALSE(open.refusal);
  CHECK(
      open.undetermined ==
      std::vector<std::string>{"the file does not state the sizes of output 0; where it is smaller "
                               "than input 0 it is refused: not smoothed"});
  CHECK(judge_node(profile, pad({-1, -1, -1}, {1, 8, 16})).undetermined.size() == 1);
}

TEST_CASE("what operators make of constants is neither computed nor a constant") {
  TargetProfile profile = runtime();
  ProgramValue input = operand("float32"), axes = operand("float32");
  const auto refuses = [&](bool NodeCondition::*asked) {
    NodeCondition condition;
    condition.input = 1;
    condition.*asked = true;
    profile.file.refused["onnx::Concat"] = {{{condition}, "so it is"}};
    return !reason(node("onnx::Concat", {input, axes}, {{"axis", std::int64_t{0}}}), profile)
                .empty();
  };
  const auto answers = [&] {
    return std::vector<bool>{refuses(&NodeCondition::computed), refuses(&NodeCondition::worked_out),
                             refuses(&NodeCondition::constant)};
  };
  CHECK(answers() == std::vector<bool>{true, false, false});
  CHECK_FALSE(refuses(&NodeCondition::entry));
  axes.origin = Origin::input;
  CHECK(refuses(&NodeCondition::entry));
  axes.origin = Origin::stored;
  CHECK(answers() == std::vector<bool>{false, false, true});
  axes.origin = Origin::worked_out;
  CHECK(answers() == std::vector<bool>{false, true, false});
}

TEST_CASE("a kernel may be chosen by the length of an axis, or of each of its parts") {
  TargetProfile profile = runtime();
  NodeCondition length;
  length.input = 0;
  length.length = AxisLength{1, 2, 8, false, "axis"};
  profile.file.refused["onnx::Concat"] = {{{length}, "no kernel"}};
  const auto concat = [](std::int64_t size, std::int64_t parts) {
    return node("onnx::Concat", {operand("float32", Sizes{1, size})}, {{"axis", parts}});
  };
  CHECK(reason(concat(32, 4), profile) == "no kernel");
  CHECK(reason(concat(36, 4), profile).empty());
  CHECK(reason(concat(4, 4), profile).empty());
  CHECK(reason(concat(8, 0), profile).empty());
  const Judgement open = judge_node(profile, concat(-1, 4));
  CHECK_FALSE(open.refusal);
  CHECK(open.undetermined ==
        std::vector<std::string>{"the file does not state axis 1 of input 0, divided by `axis`; "
                                 "where it is 2 or more and 8 or less it is refused: no kernel"});
}

TEST_CASE("an axis whose length decides may be counted from the end") {
  TargetProfile profile = runtime();
  NodeCondition length;
  length.input = 0;
  length.length = AxisLength{-1, {}, 2, false, {}};
  profile.file.refused["onnx::Erf"] = {{{length}, "only of three rows"}};
  const auto of = [](Sizes sizes) { return node("onnx::Erf", {operand("float32", sizes)}, {}); };
  CHECK(reason(of({4, 2, 2}), profile) == "only of three rows");
  CHECK(reason(of({2, 3, 3}), profile).empty());
  CHECK(reason(of({}), profile).empty());
}

TEST_CASE("a size that the file leaves open is not taken for 0") {
  TargetProfile profile = runtime();
  NodeCondition length;
  length.input = 0;
  length.length = AxisLength{1, {}, 0, false, {}};
  profile.file.refused["onnx::Erf"] = {{{length}, "no batch"}};
  const auto of_batch = [](std::int64_t batch) {
    return node("onnx::Erf", {operand("float32", Sizes{5, batch, 3})}, {});
  };
  CHECK(reason(of_batch(0), profile) == "no batch");
  CHECK(reason(of_batch(-1), profile).empty());
  CHECK(judge_node(profile, of_batch(-1)).undetermined.empty());
}

TEST_CASE("two operands may have to have one shape, and two attributes one number") {
  TargetProfile profile = runtime();
  NodeCondition unlike;
  unlike.input = 0;
  unlike.unlike_input = 1;
  NodeCondition unequal;
  unequal.attribute = "axis";
  unequal.is_not_attribute = "other";
  const auto concat = [&](std::int64_t size, std::int64_t other) {
    return judge_node(profile,
                      node("onnx::Concat",
                           {operand("float32", Sizes{1, 2}), operand("float32", Sizes{1, size})},
                           {{"axis", std::int64_t{1}}, {"other", other}}));
  };
  profile.file.versions["onnx::Concat"].front().any_attribute = true;
  profile.file.refused["onnx::Concat"] = {{{unlike}, "other shapes"}};
  CHECK(concat(3, 1).refusal);
  CHECK_FALSE(concat(2, 1).refusal);
  CHECK(concat(-1, 1).undetermined ==
        std::vector<std::string>{"the file does not state the sizes of input 0; where they are not "
                                 "those of input 1 it is refused: other shapes"});
  unlike.beside_axis = "axis";
  profile.file.refused["onnx::Concat"] = {{{unlike}, "other shapes beside the axis"}};
  CHECK_FALSE(concat(3, 1).refusal);
  profile.file.refused["onnx::Concat"] = {{{unequal}, "other numbers"}};
  CHECK(concat(2, 2).refusal);
  CHECK_FALSE(concat(2, 1).refusal);
}

TEST_CASE("one that loads and computes wrongly is neither taken nor refused") {
  TargetProfile profile = runtime();
  NodeCondition mode;
  mode.attribute = "mode";
  mode.is = {std::string("wrap")};
  profile.file.refused["onnx::Pad"] = {{{mode}, "it is off by 2 of 3", Mishap::wrong}};
  const FileNode pad =
      node("onnx::Pad", {operand("float32"), operand("int64")}, {{"mode", std::string("wrap")}});
  CHECK(judge_node(profile, pad).refusal->mishap == Mishap::wrong);
  CHECK(rules::verdict_on(profile, graph_of({pad})).verdict == Verdict::wrong);
  profile.file.refused["onnx::Pad"].front().mishap = Mishap::fails;
  CHECK(rules::verdict_on(profile, graph_of({pad})).verdict == Verdict::refused);
}

TEST_CASE("values that no file shows are a condition, not a refusal") {
  TargetProfile profile = runtime();
  NodeCondition given;
  given.input = 0;
  given.dtypes = {"float64"};
  profile.file.refused["onnx::Erf"].push_back({{given}, "infinities come out", Mishap::depends});
  profile.file.versions["onnx::Erf"][0].takes_all = true;
  const Judgement found = judge_node(profile, node("onnx::Erf", {operand("float64")}));
  CHECK_FALSE(found.refusal);
  CHECK(found.undetermined == std::vector<std::string>{"infinities come out"});
  CHECK(judge_node(profile, node("onnx::Erf", {operand("float32")})).undetermined.empty());
  CHECK(judge_node(profile, node("onnx::Erf", {operand("")})).undetermined.empty());
}

TEST_CASE("a sequence is told by what the file shows of its elements") {
  TargetProfile profile = runtime();
  profile.operators["onnx::SequenceAt"];
  NodeCondition hidden;
  hidden.input = 0;
  hidden.elements = {"open", "appended"};
  profile.file.refused["onnx::SequenceAt"].push_back({{hidden}, "no rule"});
  const auto of = [&](Elements elements) {
    ProgramValue sequence = operand("");
    sequence.elements = elements;
    return reason(node("onnx::SequenceAt", {sequence}), profile);
  };
  CHECK(of(Elements::open) == "no rule");
  CHECK(of(Elements::appended) == "no rule");
  CHECK(of(Elements::shown).empty());
}

TEST_CASE("an operand may have to be empty, or a number of the file to be none of some") {
  TargetProfile profile = runtime();
  NodeCondition empty;
  empty.input = 0;
  empty.empty = true;
  NodeCondition axis;
  axis.input = 1;
  axis.is_not = {std::int64_t{1}};
  profile.file.refused["onnx::Add"].push_back({{empty}, "nothing"});
  profile.file.refused["onnx::Erf"].push_back({{axis}, "another axis"});
  profile.file.versions.clear();
  const auto of = [&](Sizes sizes) {
    const ProgramValue sized = operand("float32", std::move(sizes));
    return reason(node("onnx::Add", {sized, sized}), profile);
  };
  CHECK(of({2, 0}) == "nothing");
  CHECK(of({2, 1}).empty());
  CHECK(of({2, -1}).empty());
  const auto by = [&](std::optional<std::int64_t> number) {
    ProgramValue stored = operand("int64", Sizes{});
    stored.number = number;
    return judge_node(profile, node("onnx::Erf", {operand("float32"), stored}));
  };
  CHECK(by(2).refusal);
  CHECK_FALSE(by(1).refusal);
  CHECK_FALSE(by(std::nullopt).refusal);
  CHECK_THAT(by(std::nullopt).undetermined.at(0), Catch::Contains("the value of input 1"));
}

TEST_CASE("a size of an operand may have to be known only when the model runs") {
  TargetProfile profile = runtime();
  NodeCondition free;
  free.input = 0;
  free.free = true;
  profile.file.refused["onnx::Add"].push_back({{free}, "free"});
  profile.file.versions.clear();
  const auto of = [&](Sizes sizes, bool is_free) {
    ProgramValue sized = operand("float32", std::move(sizes));
    sized.free_axes = is_free ? 0b10 : 0;
    return judge_node(profile, node("onnx::Add", {sized, sized}));
  };
  CHECK(of({2, -1}, true).refusal);
  CHECK_FALSE(of({2, -1}, false).refusal);
  CHECK_FALSE(of({2, -1}, false).undetermined.empty()); // a runtime may know it
  CHECK_FALSE(of({2, 3}, false).refusal);
  CHECK(of({2, 3}, false).undetermined.empty());
}

TEST_CASE("one axis of an operand may have to be known, whatever is free beside it") {
  TargetProfile profile = runtime();
  NodeCondition last;
  last.input = 0;
  last.length = AxisLength{-1, {}, {}, true, {}};
  profile.file.refused["onnx::Erf"].push_back({{last}, "free"});
  profile.file.versions.clear();
  const auto of = [&](Sizes sizes, std::uint64_t free_axes) {
    ProgramValue sized = operand("float32", std::move(sizes));
    sized.free_axes = free_axes;
    return judge_node(profile, node("onnx::Erf", {sized}));
  };
  CHECK(of({-1, -1}, 0b11).refusal);
  CHECK_FALSE(of({-1, -1}, 0b01).refusal);
  CHECK_FALSE(of({-1, -1}, 0b01).undetermined.empty());
  CHECK_FALSE(of({-1, 3}, 0b01).refusal);
  CHECK(of({-1, 3}, 0b01).undetermined.empty());
}

TEST_CASE("what is a matter of a library that was not there is unknown") {
  TargetProfile profile = runtime();
  NodeCondition any;
  any.from_opset = 1;
  profile.file.refused["onnx::Pad"] = {{{any}, "the plugin was not found", Mishap::unknown}};
  const FileNode pad = node("onnx::Pad", {operand("float32"), operand("int64")});
  const Judgement verdict = judge_node(profile, pad);
  CHECK(verdict.unknown);
  CHECK_FALSE(verdict.refusal);
  CHECK(verdict.unknown == "the plugin was not found");
  const TargetVerdict whole = rules::verdict_on(profile, graph_of({pad}));
  CHECK(whole.verdict == Verdict::unknown);
  CHECK(whole.operators.front().evidence == "the plugin was not found");
  CHECK_FALSE(judge_node(profile, node("onnx::NoSuch", {operand("float32")})).unknown);
}

TEST_CASE("an operator that a runtime lacks is refused, with a plugin as the way out") {
  TargetProfile profile = runtime();
  const FileNode missing = node("onnx::CumProd", {operand("float32")});
  const auto help = [&] { return judge_node(profile, missing).refusal.value().replacement; };
  CHECK(help().empty()); // nobody looks for one
  profile.takes_plugins = true;
  CHECK_THAT(help(), Catch::Contains("--plugin-operator CumProd"));
  profile.plugins = {"CumSum"};
  CHECK(judge_node(profile, missing).refusal);
  for (const char* name : {"CumProd", "onnx::CumProd"}) {
    profile.plugins = {name};
    CHECK_FALSE(judge_node(profile, missing).refusal);
    const TargetVerdict whole = rules::verdict_on(profile, graph_of({missing}));
    CHECK(whole.verdict == Verdict::taken);
    CHECK_THAT(whole.operators.front().evidence, Catch::Contains("your plugin"));
  }
}

TEST_CASE("a custom operator is taken by a plugin of the user's") {
  TargetProfile profile = runtime();
  const FileNode custom = node("mine::Fold", {operand("float32")});
  CHECK(judge_node(profile, custom).unknown);
  profile.plugins = {"Fold"};
  CHECK_FALSE(judge_node(profile, custom).unknown);
}

TEST_CASE("a list is not a value where one of its items is another") {
  TargetProfile profile = runtime();
  NodeCondition dilated;
  dilated.attribute = "dilations";
  dilated.is_not = {std::int64_t{1}};
  profile.file.refused["onnx::Relu"] = {{{dilated}, "no dilations"}};
  profile.operators["onnx::Relu"];
  const auto pool = [](std::vector<std::int64_t> values) {
    return node("onnx::Relu", {operand("float32")}, {{"dilations", std::move(values)}});
  };
  CHECK(reason(pool({1, 1}), profile).empty());
  CHECK(reason(pool({1, 2}), profile) == "no dilations");
  CHECK(reason(pool({2, 2}), profile) == "no dilations");
}

TEST_CASE("an operand counts as computed only where it depends on what the model is given") {
  TargetProfile profile = runtime();
  NodeCondition computed;
  computed.input = 1;
  computed.computed = true;
  profile.file.refused["onnx::Pad"] = {{{computed}, "pads must be constant"}};
  FileNode pad = node("onnx::Pad", {operand("float32"), operand("int64")});
  CHECK_FALSE(reason(pad, profile).empty());
  pad.inputs[1]->origin = Origin::stored;
  CHECK(reason(pad, profile).empty());
}

TEST_CASE(
    "operators of somebody's own are unknown, and of ONNX's own refused where none is known") {
  CHECK(judge_node(runtime(), node("acme::Fuse", {operand("float32")})).unknown);
  const Judgement own = judge_node(runtime(), node("onnx::NoSuch", {operand("float32")}));
  CHECK_FALSE(own.unknown);
  CHECK(own.refusal);
}

TEST_CASE("a dtype that a runtime never loads is refused everywhere") {
  TargetProfile profile = runtime();
  profile.file.dtypes = {"float32", "int64"};
  profile.file.sentences.dtype = "no {dtype} here, only {dtypes}";
  CHECK_THAT(reason(node("onnx::Add", {operand("float64"), operand("float64")}), profile),
             Catch::Equals("no float64 here, only float32, int64"));
  CHECK(reason(node("onnx::Add", {operand("float32"), operand("float32")}), profile).empty());
}

TEST_CASE("a file stamped with newer versions than a release loads is refused, with the fix") {
  TargetProfile profile = runtime();
  profile.file.sentences.opset = "{domain} {version} comes after {newest}";
  CHECK(rules::judge_versions(profile, graph_of({}, 9, 20)).empty());
  auto stamped = graph_of({}, 10, 21);
  stamped.origin.producer = "pytorch 2.13.0";
  const auto newer = rules::judge_versions(profile, stamped);
  REQUIRE(newer.size() == 2);
  CHECK(newer[0].reason == "IR version 10 is newer than 9, the newest it loads");
  CHECK_THAT(newer[1].reason, Catch::Equals("ai.onnx 21 comes after 20"));
  CHECK_THAT(newer[1].help,
             Catch::Contains("opset_version=20") && Catch::Contains("convert_version(model, 20)"));
  profile.release = profile.file.releases.front();
  const auto older = rules::judge_versions(profile, graph_of({}, 8, 18));
  REQUIRE(older.size() == 1);
  CHECK_THAT(older[0].help, Catch::Contains("board 2.0 or newer"));
}

TEST_CASE("a verdict on a file is the worst of its nodes', and names its evidence") {
  const FileNode taken = node("onnx::Add", {operand("float32"), operand("float32")});
  const FileNode undetermined = node("onnx::Erf", {operand("")});
  const FileNode unknown = node("acme::Fuse", {});
  const FileNode refused = node("onnx::Erf", {operand("float64")});
  const auto verdict = [](std::vector<FileNode> nodes) {
    return rules::verdict_on(runtime(), graph_of(nodes));
  };
  CHECK(verdict({taken}).verdict == Verdict::taken);
  CHECK(verdict({taken}).operators.front().evidence == "onnx::Add since opset 14");
  CHECK(verdict({taken}).package == "board 2.0");
  CHECK(verdict({taken, taken}).operators.front().calls == 2);
  CHECK(verdict({taken, undetermined}).verdict == Verdict::partly);
  CHECK(verdict({taken, undetermined, unknown}).verdict == Verdict::unknown);
  CHECK(verdict({taken, undetermined, unknown, refused}).verdict == Verdict::refused);
}

TEST_CASE("what a runtime takes away is not held against the file, and is counted") {
  TargetProfile profile = runtime();
  profile.file.refused["onnx::Erf"] = {{{}, "no kernel"}};
  Program program = test::program_of({node("onnx::Erf", {operand("float32", Sizes{2, 3})}),
                                      {.schema = "onnx::Shape", .inputs = {}}});
  program.values[program.nodes[0].outputs[0]].type.shape = {2, 3};
  program.nodes[1].inputs = program.nodes[0].outputs;
  program.outputs.emplace_back("y", program.nodes[1].outputs[0]);
  const auto judged = [&] { return rules::judge_each(profile, program); };
  CHECK(judged().front().second.refusal);
  profile.file.forms["not-run"] = {};
  CHECK(judged().front().second.refusal);
  profile.file.forms["not-run-refused"] = {};
  CHECK(judged().size() == 2);
  CHECK_FALSE(judged().front().second.refusal);
}

TEST_CASE("a table for another release is not approval") {
  TargetProfile profile = runtime();
  profile.release = profile.file.releases.front();
  const ConnectedGraph graph =
      graph_of({node("onnx::Add", {operand("float32"), operand("float32")})});
  CHECK(rules::verdict_on(profile, graph).verdict == Verdict::unknown);
}

TEST_CASE("a profile of what a runtime was asked knows nothing else") {
  TargetProfile profile;
  profile.name = "asked";
  const FileNode relu = node("onnx::Relu", {operand("float32", Sizes{2, 3})});
  const auto judged = [&](const std::vector<FileNode>& nodes) {
    const Program program = test::program_of(nodes);
    std::vector<Judgement> found;
    for (auto& [view, judgement] : rules::judge_each(profile, program))
      found.push_back(std::move(judgement));
    return found;
  };
  const auto ask = [&](const FileNode& each, const std::string& answer) {
    const Program program = test::program_of({each});
    const rules::AskedNodes asked(program);
    profile.file.asked[asked.question(program.nodes[0]).value()] = {answer, "why"};
    profile.file.asked_models[asked.whole().value()] = {answer, "why"};
  };
  ask(relu, "right");
  CHECK(judged({relu})[0].undetermined.empty());
  CHECK_FALSE(judged({relu})[0].unknown);
  CHECK(judged({relu, relu})[1].undetermined.size() == 1); // as a whole it was not asked
  CHECK(judged({node("onnx::Relu", {operand("float32", Sizes{2, 4})})})[0].unknown);
  CHECK(judged({node("onnx::Relu", {operand("float16", Sizes{2, 3})})})[0].unknown);
  CHECK(judged({node("onnx::Relu", {operand("float32", Sizes{2, 3})}, {}, 13)})[0].unknown);
  const FileNode open = node("onnx::Relu", {operand("float32", Sizes{-1, 3})});
  ask(open, "right");
  CHECK(judged({open})[0].undetermined.size() == 1);
  ask(relu, "crashed");
  CHECK(judged({relu})[0].refusal->mishap == Mishap::fails);
  ask(relu, "differs");
  CHECK(judged({relu})[0].refusal->mishap == Mishap::wrong);
  CHECK(judged({relu})[0].refusal->reason == "differs: why");
}

TEST_CASE("numbers with fractions are no part of a question, others are") {
  const auto words = [](AttributeValue value) {
    Program program = test::program_of({node("onnx::Reshape", {operand("float32")})});
    program.nodes[0].arguments = {{"shape", std::move(value)}};
    return rules::AskedNodes(program).question(program.nodes[0]).value();
  };
  CHECK(words(std::vector<double>{1.5}) == words(std::vector<double>{2.5}));
  CHECK(words(std::vector<std::int64_t>{1}) != words(std::vector<std::int64_t>{2}));
  Program hidden = test::program_of({node("onnx::ConstantOfShape", {operand("int64")})});
  hidden.nodes[0].opaque = {"value"};
  CHECK_FALSE(rules::AskedNodes(hidden).question(hidden.nodes[0]));
  CHECK_FALSE(rules::AskedNodes(hidden).whole());
}
