#include "support/run_check.h"
#include "support/sample_graph.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;
using Lines = std::vector<std::string>;

namespace {

ModuleTables aimet_like() {
  ModuleTables tables;
  tables.functional_ops = {"view", "mean"};
  tables.passed_through = {"to"};
  tables.op_type_map = {{"aimet_torch._base.nn.modules.custom.Concat", "Concat"}};
  return tables;
}

Diagnostics check(const SampleGraph& builder, const ModuleTables& tables = aimet_like()) {
  return test::run_check(checks::missing_modules, builder.graph, tables);
}

} // namespace

TEST_CASE("a functional linear is found, with the module to use and what it means for weights") {
  SampleGraph builder;
  builder.functional("linear", "torch.nn.functional.linear", builder.frame(20, 12));
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  const Diagnostic& finding = found.findings().front();
  CHECK(finding.message == "operation `F.linear` has no module");
  CHECK(finding.op->name == "linear_0");
  CHECK(finding.locations[0].source.line == 20);
  CHECK(finding.help ==
        "use a module: `self.linear = DynamicLinear()` in `Net.__init__`, and call it here; "
        "`DynamicLinear` is a class of your own whose `forward` does this");
  CHECK(finding.fix->applicability == Applicability::safe);
  CHECK(finding.fix->refusal.empty());
  CHECK(finding.notes[0].starts_with("its weights stay where they are"));
}

TEST_CASE("operations on values alone can safely become modules") {
  SampleGraph builder;
  builder.functional("relu", "torch.nn.functional.relu");
  builder.functional("add", "aten::add.Tensor");
  builder.functional("cat", "aten::cat");
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 3);
  for (const Diagnostic& finding : found.findings())
    CHECK(finding.fix->applicability == Applicability::safe);
  CHECK(found.findings()[1].message == "operation `add` has no module");
  CHECK(found.findings()[1].help ==
        "use a module: `self.add = Add()` in `Net.__init__`, and call it here; `Add` is a class of "
        "your own whose `forward` does this");
  CHECK(found.findings()[2].help ==
        "use a module: `self.cat = Concat()` in `Net.__init__`, and call it here; aimet_torch has "
        "`Concat`");
}

TEST_CASE("a functional dropout may not follow the mode: the fix is unsafe") {
  SampleGraph builder;
  const OpId op = builder.functional("dropout", "torch.nn.functional.dropout");
  builder.graph.op(op).attributes = {{"p", 0.1}};
  const Diagnostic finding = check(builder).findings().front();
  CHECK(finding.help.find("nn.Dropout(p=0.1") != std::string::npos);
  CHECK(finding.fix->applicability == Applicability::unsafe);
}

TEST_CASE("the log says AIMET's sentences, and names type and parent module") {
  SampleGraph builder;
  builder.functional("matmul", "aten::matmul");
  CHECK(check(builder).summaries() ==
        Lines{"Ops with missing modules: ['matmul_0']\n"
              "This can be due to several reasons:\n"
              "1. There is no mapping for the op in ConnectedGraph.op_type_map. Add a mapping for "
              "ConnectedGraph to recognize and be able to map the op.\n"
              "2. The op is defined as a functional in the forward function, instead of as a class "
              "module. Redefine the op as a class module if possible. Else, check 3.\n"
              "3. This op is one that cannot be defined as a class module, but has not been added "
              "to ConnectedGraph.functional_ops. Add to continue.",
              "matmul_0; op_type: matmul   parent module: Net"});
}

TEST_CASE("modules, queries, inputs and ops that need no module are not found") {
  SampleGraph builder;
  builder.op("x_0", OpKind::input);
  builder.call(builder.module("relu", "torch.nn.modules.activation.ReLU"), builder.frame(10));
  builder.op("size_0", OpKind::query, "aten::size");
  builder.functional("view", "aten::view");
  builder.functional("to", "aten::to.dtype");
  builder.op("if_0", OpKind::control_flow);
  builder.op("constant_0", OpKind::constant);
  const auto found = check(builder);
  CHECK(found.findings().empty());
  CHECK(found.summaries().empty());
}

TEST_CASE("the user's configuration extends the ops that need no module") {
  SampleGraph builder;
  builder.functional("stack", "aten::stack");
  ModuleTables tables = aimet_like();
  CHECK(check(builder, tables).findings().size() == 1);
  tables.functional_ops.insert("stack");
  CHECK(check(builder, tables).findings().empty());
}

TEST_CASE("missing modules are not judged in a file that has none") {
  SampleGraph builder;
  builder.functional("linear", "aten::linear");
  builder.graph.origin.has_modules = false;
  CHECK(check(builder).findings().empty());
}

TEST_CASE("what a composite of torch does inside is one finding") {
  SampleGraph builder;
  const ModuleId attention =
      builder.module("attn", "torch.nn.modules.activation.MultiheadAttention", false);
  builder.functional("mul", "aten::mul.Tensor", builder.frame(4), attention);
  builder.functional("softmax", "torch.nn.functional.softmax", builder.frame(4), attention);
  builder.functional("mul", "aten::mul.Tensor", builder.frame(4), attention);
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  const Diagnostic& finding = found.findings()[0];
  CHECK(finding.message == "3 operations inside `attn` (MultiheadAttention) have no module");
  CHECK(finding.notes == Lines{"they are `mul`, `F.softmax`"});
  CHECK(finding.module == "attn");
  CHECK(finding.fix->applicability == Applicability::unsafe);
}

TEST_CASE("no plural is used for a composite's single operation") {
  SampleGraph builder;
  const ModuleId attention =
      builder.module("attn", "torch.nn.modules.activation.MultiheadAttention", false);
  builder.functional("mul", "aten::mul.Tensor", builder.frame(4), attention);
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message ==
        "1 operation inside `attn` (MultiheadAttention) has no module");
  CHECK(found.findings()[0].notes == Lines{"it is `mul`"});
}

TEST_CASE("dropout with training off is not an operation, with training on it is") {
  SampleGraph idle;
  const OpId off = idle.functional("dropout", "torch.nn.functional.dropout");
  idle.graph.op(off).attributes = {{"p", 0.1}, {"training", false}};
  CHECK(check(idle).findings().empty());
  SampleGraph active;
  const OpId on = active.functional("dropout", "aten::dropout");
  active.graph.op(on).attributes = {{"p", 0.1}, {"train", true}};
  CHECK(check(active).findings().size() == 1);
}

TEST_CASE("a composite that is the whole model is named as such") {
  SampleGraph builder;
  builder.graph.modules()[0].class_name = "torch.nn.modules.activation.MultiheadAttention";
  builder.graph.modules()[0].torch_nn = true;
  builder.functional("mul", "aten::mul.Tensor");
  CHECK(check(builder).findings().front().message ==
        "1 operation inside the model itself (MultiheadAttention) has no module");
}

TEST_CASE("a tensor made of constants becomes a buffer") {
  SampleGraph builder;
  const OpId op = builder.functional("zeros", "aten::zeros");
  builder.graph.op(op).attributes = {{"size", std::vector<std::int64_t>{8}}};
  const Diagnostic finding = check(builder).findings().front();
  CHECK(finding.message == "operation `zeros` has no module");
  CHECK(finding.help ==
        "make it once, as a buffer: `self.register_buffer(\"zeros\", torch.zeros(8), "
        "persistent=False)` in `Net.__init__`, and use `self.zeros` here");
  CHECK(finding.fix->applicability == Applicability::safe);
}

TEST_CASE("a buffer takes no name that is taken") {
  SampleGraph builder;
  builder.parameter(0, "ones", {2});
  builder.graph.parameters()[0].path = "ones";
  const OpId op = builder.functional("ones", "aten::ones");
  builder.graph.op(op).attributes = {{"size", std::vector<std::int64_t>{8}}};
  CHECK(check(builder).findings().front().help.find("register_buffer(\"ones_2\"") !=
        std::string::npos);
}

TEST_CASE("a tensor whose sizes are computed is left as it is") {
  SampleGraph builder;
  const OpId size = builder.op("size_0", OpKind::query, "aten::size");
  const OpId op = builder.functional("zeros", "aten::zeros");
  builder.edge(size, op);
  const Diagnostic finding = check(builder).findings().front();
  CHECK(finding.help == "leave it as it is, and list it in the configuration: `functional-ops = "
                        "[\"zeros\"]` under `[aimet]`");
  CHECK(finding.notes.front().starts_with("its result depends on values computed"));
  CHECK_FALSE(finding.fix);
}

TEST_CASE("what only steers an `if` needs no module") {
  SampleGraph builder;
  const OpId sum = builder.functional("sum", "aten::sum");
  const OpId compare = builder.functional("gt", "aten::gt.Scalar");
  const OpId reader = builder.op("Bool_0", OpKind::query, "aten::Bool.Tensor");
  const OpId decided = builder.op("if_0", OpKind::control_flow, "prim::If");
  builder.graph.op(decided).attributes = {{"condition_operands", std::int64_t{1}}};
  builder.edge(sum, compare).edge(compare, reader).edge(reader, decided);
  CHECK(check(builder).findings().empty());
  SECTION("but it does where its result is used as well") {
    builder.edge(sum, builder.op("output_0", OpKind::output));
    CHECK(check(builder).findings().size() == 1);
  }
  SECTION("and where it is what a branch gives") {
    const OpId value = builder.functional("relu", "aten::relu");
    builder.edge(value, decided, 1);
    CHECK(check(builder).findings().size() == 1);
  }
}

TEST_CASE("a leaf that stands for a function stands for all that the function runs") {
  const auto findings = [](const std::string& class_name, const std::string& operation) {
    SampleGraph builder;
    const ModuleId leaf = builder.module("part", class_name);
    const OpId op = builder.functional(operation, "aten::" + operation);
    builder.graph.op(op).parent = leaf;
    return check(builder).findings().size();
  };
  for (const char* part : {"linalg_vector_norm", "clamp_min"}) {
    CHECK(findings("own.Normalize", part) == 0);
    CHECK(findings("own.Part", part) == 1);
  }
  CHECK(findings("own.Normalize", "mul") == 1);
  CHECK(findings("own.Normalize", "div") == 1); // by anything: of a class that takes a mean off
}

TEST_CASE("a leaf stands for the quotient of a number, which is a reciprocal and a product") {
  SampleGraph builder;
  const ModuleId leaf = builder.module("div", "own.Divide2");
  const OpId inverse = builder.functional("reciprocal", "aten::reciprocal");
  const OpId product = builder.functional("mul", "aten::mul");
  for (const OpId op : {inverse, product}) builder.graph.op(op).parent = leaf;
  builder.edge(inverse, product);
  CHECK(check(builder).findings().empty());
  builder.functional("mul", "aten::mul");
  builder.graph.op(product + 1).parent = leaf; // of no reciprocal
  CHECK(check(builder).findings().size() == 1);
}

TEST_CASE("the quotient of a leaf that stands for normalize is by a length that is not 0") {
  SampleGraph builder;
  const ModuleId leaf = builder.module("part", "own.Normalize");
  const OpId length = builder.functional("clamp_min", "aten::clamp_min");
  const OpId wide = builder.functional("expand_as", "aten::expand_as");
  const OpId quotient = builder.functional("div", "aten::div");
  for (const OpId op : {length, wide, quotient}) builder.graph.op(op).parent = leaf;
  builder.edge(length, wide).edge(wide, quotient);
  const auto findings = check(builder).findings();
  CHECK(std::ranges::none_of(findings, [](const Diagnostic& finding) {
    return finding.message.find("`div`") != std::string::npos;
  }));
}

TEST_CASE("a norm of a weight is folded, as no edit of a class reaches it") {
  SampleGraph hook;
  hook.functional("_weight_norm", "aten::_weight_norm", hook.frame(20, 12));
  const auto of_hook = check(hook);
  REQUIRE(of_hook.findings().size() == 1);
  CHECK_THAT(of_hook.findings().front().help, Catch::Contains("remove_weight_norm"));
  SampleGraph made;
  const ModuleId conv = made.module("conv", "torch.nn.utils.parametrize.ParametrizedConv1d", false);
  made.functional("sigmoid", "aten::sigmoid", made.frame(4), conv);
  const auto of_made = check(made);
  REQUIRE(of_made.findings().size() == 1);
  CHECK_THAT(of_made.findings().front().help, Catch::Contains("remove_parametrizations"));
}
