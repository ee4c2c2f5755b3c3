#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

constexpr test::Checker check{checks::data_dependent_control_flow};

/// An `if` whose first operand is its condition.
struct Branch {
  SampleGraph builder;
  OpId decided_by() {
    if (op == none) {
      op = builder.op("if_0", OpKind::control_flow, "prim::If");
      builder.graph.op(op).attributes = {{"condition_operands", std::int64_t{1}}};
    }
    return op;
  }
  OpId op = none;
};

} // namespace

TEST_CASE("an if that reads the values of a tensor is found") {
  Branch branch;
  const OpId sum = branch.builder.functional("sum", "aten::sum");
  const OpId reader = branch.builder.op("Bool_0", OpKind::query, "aten::Bool.Tensor");
  branch.builder.edge(sum, reader).edge(reader, branch.decided_by());
  const auto found = check(branch.builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "an `if` depends on the values of a tensor");
}

TEST_CASE("values that reach the condition through arithmetic are followed") {
  Branch branch;
  const OpId input = branch.builder.op("x_0", OpKind::input);
  const OpId reader = branch.builder.op("item_0", OpKind::query, "aten::item");
  const OpId compare = branch.builder.op("gt_0", OpKind::query, "aten::gt.float");
  branch.builder.edge(input, reader).edge(reader, compare).edge(compare, branch.decided_by());
  CHECK(check(branch.builder).findings().size() == 1);
}

TEST_CASE("a condition joined of two is followed through both") {
  Branch branch;
  const OpId joined = branch.builder.op("if_1", OpKind::control_flow, "prim::If");
  const OpId sum = branch.builder.functional("sum", "aten::sum");
  const OpId reader = branch.builder.op("Bool_0", OpKind::query, "aten::Bool.Tensor");
  branch.builder.edge(sum, reader).edge(reader, joined, 1).edge(joined, branch.decided_by());
  CHECK(check(branch.builder).findings().size() == 1);
}

TEST_CASE("a condition that an if within another joins is followed") {
  Branch branch;
  const OpId outer = branch.builder.op("if_1", OpKind::control_flow, "prim::If");
  const OpId middle = branch.builder.op("if_2", OpKind::control_flow, "prim::If");
  const OpId inner = branch.builder.op("if_3", OpKind::control_flow, "prim::If");
  const OpId sum = branch.builder.functional("sum", "aten::sum");
  const OpId reader = branch.builder.op("Bool_0", OpKind::query, "aten::Bool.Tensor");
  branch.builder.edge(sum, reader).edge(reader, inner, 1).edge(inner, middle, 1);
  branch.builder.edge(middle, outer, 1).edge(outer, branch.decided_by());
  CHECK(check(branch.builder).findings().size() == 1);
}

TEST_CASE("sizes, dtypes and buffers may decide") {
  Branch branch;
  const OpId input = branch.builder.op("x_0", OpKind::input);
  const OpId size = branch.builder.op("size_0", OpKind::query, "aten::size.int");
  const OpId compare = branch.builder.op("gt_0", OpKind::query, "aten::gt.int");
  const OpId as_bool = branch.builder.op("Bool_0", OpKind::query, "aten::Bool.int");
  branch.builder.edge(input, size).edge(size, compare).edge(compare, as_bool);
  branch.builder.edge(as_bool, branch.decided_by());
  CHECK(check(branch.builder).findings().empty());
}

TEST_CASE("a value that an arm yields decides nothing") {
  Branch branch;
  const OpId sum = branch.builder.functional("sum", "aten::sum");
  const OpId reader = branch.builder.op("item_0", OpKind::query, "aten::item");
  branch.builder.edge(sum, reader).edge(reader, branch.decided_by(), 1);
  CHECK(check(branch.builder).findings().empty());
}
