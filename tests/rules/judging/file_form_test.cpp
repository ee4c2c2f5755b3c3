#include "rules/judging/file_form.h"
#include "rules/judging/judge_graph.h"
#include "support/sample_graph.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using rules::FileForm;
using rules::Refusal;
using rules::RefusedOp;
using test::SampleGraph;
using Names = std::vector<std::string>;

namespace {

TargetProfile profile_of(bool programs, std::initializer_list<const char*> operators = {"x"}) {
  TargetProfile profile;
  profile.overloads = programs;
  profile.functionalised = programs;
  for (const char* name : operators) profile.operators[name];
  return profile;
}

const TargetProfile of_programs = profile_of(true);
const TargetProfile of_torchscript = profile_of(false);

SampleGraph torchscript() {
  SampleGraph sample;
  sample.graph.origin.format = FileFormat::torchscript;
  return sample;
}

SampleGraph program() {
  SampleGraph sample;
  sample.graph.origin.format = FileFormat::exported_program;
  return sample;
}

Names refused(const TargetProfile& profile, const SampleGraph& sample) {
  Names names;
  for (const RefusedOp& each : rules::judge_graph(profile, sample.graph))
    for (const Refusal& refusal : each.refusals) names.push_back(refusal.name);
  return names;
}

/// What an operator of a file is called by a target that reads the other format.
std::string called(const TargetProfile& profile, const SampleGraph& sample,
                   const std::string& schema, std::vector<Attribute> attributes = {}) {
  const auto found =
      FileForm(profile, sample.graph).written(Operator{schema, std::move(attributes), {}, {}});
  return found ? found->schema : "";
}

Attribute strides(std::vector<std::int64_t> values) { return {"stride", std::move(values)}; }

/// An input, its size as a trace keeps it, arithmetic on that, and an operator that takes it.
SampleGraph traced_sizes() {
  SampleGraph sample = torchscript();
  const OpId x = sample.op("x_0", OpKind::input);
  const OpId size = sample.op("size_0", OpKind::query, "aten::size.int");
  const OpId tensor = sample.op("NumToTensor_0", OpKind::query, "prim::NumToTensor.Scalar");
  const OpId half = sample.op("floor_divide_0", OpKind::query, "aten::floor_divide");
  const OpId number = sample.op("Int_0", OpKind::query, "aten::Int.Tensor");
  const OpId view = sample.functional("view", "aten::view");
  sample.edge(x, size).edge(size, tensor).edge(tensor, half).edge(half, number).edge(x, view);
  return sample;
}

} // namespace

TEST_CASE("sizes in a trace are no operators for a target of programs") {
  CHECK(refused(of_programs, traced_sizes()) == Names{"aten::view"});
  CHECK(refused(of_torchscript, traced_sizes()).size() == 5);
}

TEST_CASE("a number that is read from a tensor of the model is an operator in both forms") {
  SampleGraph sample = torchscript();
  const OpId sum = sample.functional("sum", "aten::sum");
  sample.edge(sum, sample.op("Int_0", OpKind::query, "aten::Int.Tensor"));
  CHECK(refused(of_programs, sample) == Names{"aten::sum", "aten::item"});
}

TEST_CASE("sizes and assertions in a program are no operators for either kind of target") {
  SampleGraph sample = program();
  const OpId x = sample.op("x_0", OpKind::input);
  for (const char* schema : {"aten::sym_size.int", "_operator::ge", "aten::_assert_scalar",
                             "aten::_assert_tensor_metadata"})
    sample.edge(x, sample.op("query_0", OpKind::query, schema));
  CHECK(refused(of_programs, sample).empty());
  CHECK(refused(of_torchscript, sample).empty());
}

TEST_CASE("operators that pass a tensor on are the exporter's, not the model's") {
  SampleGraph exported = program(), traced = torchscript();
  for (const char* schema : {"aten::alias", "aten::lift_fresh_copy", "aten::detach_"}) {
    CHECK(called(of_programs, exported, schema).empty());
    CHECK(called(of_torchscript, exported, schema).empty());
    CHECK(called(of_programs, traced, schema).empty());
    CHECK(called(of_torchscript, traced, schema) == schema);
  }
}

TEST_CASE("a branch is an operator of a program only if values decide it") {
  SampleGraph sample = torchscript();
  const OpId sum = sample.functional("sum", "aten::sum");
  const auto branch = [&sample](OpId condition) {
    const OpId found = sample.op("if_0", OpKind::control_flow, "prim::If");
    sample.graph.op(found).attributes = {{"condition_operands", std::int64_t{1}}};
    sample.edge(condition, found);
  };
  const OpId size = sample.op("size_0", OpKind::query, "aten::size.int");
  branch(size);
  CHECK(refused(of_programs, sample) == Names{"aten::sum"});
  const OpId value = sample.op("Bool_0", OpKind::query, "aten::Bool.Tensor");
  sample.edge(sum, size).edge(sum, value);
  branch(value);
  CHECK(refused(of_programs, sample) == Names{"aten::sum", "aten::item", "prim::If"});
}

TEST_CASE("a branch on a size is one of a program if values decide the size") {
  const auto branches = [](const char* type, std::optional<std::int64_t> axis, const char* asks) {
    SampleGraph sample = torchscript();
    const OpId x = sample.op("x_0", OpKind::input);
    const OpId picked = sample.functional(type, "aten::" + std::string(type));
    const OpId size =
        sample.op(asks + std::string("_0"), OpKind::query, std::string("aten::") + asks);
    const OpId more = sample.op("gt_0", OpKind::query, "aten::gt.int");
    const OpId found = sample.op("if_0", OpKind::control_flow, "prim::If");
    if (axis) sample.graph.op(size).attributes = {{"dim", *axis}};
    sample.graph.op(found).attributes = {{"condition_operands", std::int64_t{1}}};
    sample.edge(x, picked).edge(picked, size).edge(size, more).edge(more, found);
    return refused(of_programs, sample).size() == 2; // the first op, and the branch
  };
  CHECK(branches("nonzero", 0, "size"));
  CHECK(branches("nonzero", std::nullopt, "numel"));
  CHECK(branches("nonzero", std::nullopt, "len"));
  CHECK_FALSE(branches("nonzero", 1, "size"));
  CHECK_FALSE(branches("nonzero", std::nullopt, "dim"));
  CHECK_FALSE(branches("relu", 0, "size"));
}

TEST_CASE("what comes out of a branch on values has sizes that no value decides") {
  SampleGraph sample = torchscript();
  const OpId x = sample.op("x_0", OpKind::input);
  const OpId value = sample.op("Bool_0", OpKind::query, "aten::Bool.Tensor");
  const OpId first = sample.op("if_0", OpKind::control_flow, "prim::If");
  const OpId size = sample.op("size_0", OpKind::query, "aten::size.int");
  const OpId second = sample.op("if_1", OpKind::control_flow, "prim::If");
  for (const OpId branch : {first, second})
    sample.graph.op(branch).attributes = {{"condition_operands", std::int64_t{1}}};
  sample.edge(x, value).edge(value, first).edge(x, first, 1).edge(first, size).edge(size, second);
  CHECK(refused(of_programs, sample) == Names{"aten::item", "prim::If"});
}

TEST_CASE("state that is no tensor is refused where the target says so") {
  TargetProfile target = profile_of(true, {"prim::SetAttr"});
  SampleGraph sample = torchscript();
  sample.parameter(0, "hidden", {4}, 0, true);
  const auto sets = [&sample](const char* attribute, bool read, bool filled) {
    StateWrite write;
    write.module = 0;
    write.attribute = attribute;
    write.schema = "prim::SetAttr";
    write.read = read;
    write.filled = filled;
    sample.graph.state_writes.push_back(write);
  };
  sets("hidden", true, false); // which is a buffer
  sets("unread", false, false);
  sets("cache", true, true);
  sets("calls", true, false);
  sets("calls", true, false);
  CHECK(refused(target, sample).empty());
  target.file.refused["prim::SetAttr"] = {{{}, "it is lost"}};
  CHECK(refused(target, sample) == Names{"prim::SetAttr"});
}

TEST_CASE("a convolution of a trace has the name that it has in a program") {
  const SampleGraph sample = torchscript();
  const Attribute transposed{"transposed", true};
  CHECK(called(of_programs, sample, "aten::_convolution", {strides({1, 1})}) == "aten::conv2d");
  CHECK(called(of_programs, sample, "aten::_convolution", {strides({1, 1, 1}), transposed}) ==
        "aten::conv_transpose3d.input");
  CHECK(called(of_programs, sample, "aten::_convolution", {strides({1}), transposed}) ==
        "aten::conv_transpose1d");
  CHECK(called(of_programs, sample, "aten::_convolution_mode", {strides({1})}) ==
        "aten::conv1d.padding");
  CHECK(called(of_programs, sample, "aten::_convolution") == "aten::convolution");
  CHECK(called(of_torchscript, sample, "aten::_convolution") == "aten::_convolution");
  CHECK(called(of_torchscript, program(), "aten::conv3d") == "aten::_convolution");
  CHECK(called(of_torchscript, program(), "aten::conv_transpose2d.input") == "aten::_convolution");
  CHECK(called(of_torchscript, program(), "aten::conv1d.padding") == "aten::_convolution_mode");
}

TEST_CASE("overloads that Python chooses differently are those of a program") {
  const SampleGraph sample = torchscript();
  CHECK(called(of_programs, sample, "aten::mul_.Scalar") == "aten::mul_.Tensor");
  CHECK(called(of_programs, sample, "aten::div.Scalar_mode") == "aten::div.Tensor_mode");
  CHECK(called(of_programs, sample, "aten::eq.Scalar") == "aten::eq.Scalar");
  CHECK(called(of_programs, sample, "aten::upsample_bilinear2d") ==
        "aten::upsample_bilinear2d.vec");
  CHECK(called(of_programs, sample, "aten::index.Tensor_hacked_twin") == "aten::index.Tensor");
  CHECK(called(of_programs, sample, "aten::to.prim_Device") == "aten::to.device");
}

TEST_CASE("a second name of an operator is the first one in a trace") {
  CHECK(called(of_torchscript, program(), "aten::swapaxes") == "aten::transpose");
  CHECK(called(of_torchscript, program(), "aten::clip_") == "aten::clamp_");
  CHECK(called(of_torchscript, program(), "aten::clip_grad") == "aten::clip_grad");
  CHECK(called(of_programs, program(), "aten::swapaxes") == "aten::swapaxes");
}

TEST_CASE("attention that a trace runs as one operator is judged as what is exported") {
  const std::string fast = "aten::_native_multi_head_attention";
  CHECK(called(of_programs, torchscript(), fast) == "aten::scaled_dot_product_attention");
  CHECK(called(of_torchscript, torchscript(), fast) == fast);
}

TEST_CASE("operators of the language are none of a program") {
  SampleGraph sample = torchscript();
  sample.graph.file_operators = {
      {"aten::add.int", {{"result", std::string("int")}}, {}, {}},
      {"aten::split.Tensor", {{"result", std::string("Tensor[]")}}, {}, {}},
      {"aten::add.Tensor", {}, {}, {}}};
  for (const char* schema : {"prim::unchecked_cast", "aten::__getitem__.t", "aten::append.t",
                             "aten::__contains__.str_list", "aten::__isnot__", "aten::add.int",
                             "aten::mul.int_float", "aten::size", "aten::len.t"})
    CHECK(called(of_programs, sample, schema).empty());
  CHECK(called(of_programs, sample, "aten::add.Tensor") == "aten::add.Tensor");
  CHECK(called(of_programs, sample, "aten::split.Tensor") == "aten::split.Tensor");
  CHECK(called(of_torchscript, sample, "aten::__isnot__") == "aten::__isnot__");
}

TEST_CASE("a number that a trace keeps as a tensor is an argument of a program") {
  SampleGraph sample = torchscript();
  const OpId number = sample.op("constant_0", OpKind::constant, "prim::Constant");
  sample.graph.op(number).attributes = {{"value", std::int64_t{2}}};
  const OpId product = sample.functional("mul", "aten::mul.Tensor");
  sample.edge(number, product, 1);
  const auto attributes = [&](const TargetProfile& profile) {
    return FileForm(profile, sample.graph).written(product)->attributes;
  };
  CHECK(attributes(of_programs) == std::vector<Attribute>{{"other", std::int64_t{2}}});
  CHECK(attributes(of_torchscript).empty());
}

TEST_CASE("a convolution that reaches an output is judged by a target of programs") {
  SampleGraph sample = torchscript();
  const OpId convolution = sample.functional("conv2d", "aten::_convolution");
  sample.graph.op(convolution).attributes = {strides({1, 1})};
  sample.graph.file_operators = {{"aten::_convolution", {}, {}, {}}};
  CHECK(refused(of_programs, sample) == Names{"aten::conv2d"});
}
