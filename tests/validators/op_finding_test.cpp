#include "support/sample_graph.h"
#include "validators/op_finding.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

constexpr RuleInfo rule = {"a-rule", "XXX001", "a rule", Severity::warning, true};

} // namespace

TEST_CASE("a finding about a module op names the module and its parent") {
  SampleGraph builder;
  builder.module("block", "net.Block", false);
  const ModuleId act = builder.module("block.act", "torch.nn.modules.activation.ReLU");
  builder.graph.modules()[act].aliases = {"other.act"};
  const OpId op = builder.call(act, builder.frame(7));
  const Diagnostic finding = finding_of(builder.graph, op, Diagnostics(rule), "it is wrong");
  CHECK(finding.module == "block.act");
  CHECK(finding.parent == "block");
  CHECK(finding.aliases == std::vector<std::string>{"other.act"});
  CHECK(finding.op->type == "relu");
  CHECK(finding.locations.at(0).source.line == 7);
}

TEST_CASE("a finding about another op names the module whose code runs it") {
  SampleGraph builder;
  const ModuleId block = builder.module("block", "net.Block", false);
  const OpId op = builder.functional("add", "aten::add.Tensor", none, block);
  const Diagnostic finding = finding_of(builder.graph, op, Diagnostics(rule), "it is wrong");
  CHECK(finding.module == "block");
  CHECK(finding.parent == "block");
  CHECK(finding.locations.empty());
}

TEST_CASE("the owner of a parameter is the module that has it") {
  SampleGraph builder;
  const ModuleId a = builder.module("a", "torch.nn.modules.linear.Linear");
  builder.parameter(a, "weight", {8, 8});
  Parameter loose;
  builder.graph.add_parameter(loose);
  CHECK(owners_of_parameters(builder.graph) == std::vector<ModuleId>{a, none});
  CHECK(finding_of_module(builder.graph, a, Diagnostics(rule), "it is wrong").module == "a");
  CHECK(finding_of_module(builder.graph, none, Diagnostics(rule), "it is wrong").module.empty());
}
