#include "validators/suggestions/operators.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("an operator that writes in place is recognised by its underscore") {
  CHECK(schema_base("aten::add_.Tensor") == "aten::add_");
  CHECK(writes_in_place("aten::add_.Tensor"));
  CHECK(writes_in_place("aten::relu_"));
  CHECK_FALSE(writes_in_place("aten::relu"));
  CHECK_FALSE(writes_in_place("aten::__and__.Tensor"));
  CHECK_FALSE(writes_in_place(""));
}

TEST_CASE("an op runs itself and what it stands for, and a module only the latter") {
  Op op;
  op.body = std::make_shared<const std::vector<Operator>>(
      std::vector<Operator>{{"aten::conv2d", {}, {}, {}}});
  CHECK(operators_of(op).size() == 1);
  op.schema = "torch.nn.functional.conv2d";
  REQUIRE(operators_of(op).size() == 2);
  CHECK(operators_of(op)[1].schema == "aten::conv2d");
}
