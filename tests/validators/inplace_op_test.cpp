#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

constexpr test::Checker check{checks::inplace_op};

TEST_CASE("an operator with an underscore and a function with an in-place argument are found") {
  SampleGraph builder;
  builder.functional("add", "aten::add_.Tensor");
  const OpId relu = builder.functional("relu", "torch.nn.functional.relu");
  builder.graph.op(relu).attributes = {{"inplace", true}};
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 2);
  CHECK(found.findings()[0].message == "operation `add` writes into its input");
}

TEST_CASE("operators that make a new tensor, and modules, are not found") {
  SampleGraph builder;
  builder.functional("add", "aten::add.Tensor");
  builder.functional("__and__", "aten::__and__.Tensor");
  builder.call(builder.module("relu", "torch.nn.modules.activation.ReLU"), builder.frame(3), 1,
               none, {{"aten::relu_", {}, {}, {}}});
  CHECK(check(builder).findings().empty());
}
