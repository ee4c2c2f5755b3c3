#include "rules/judging/operator_name.h"

#include <catch2/catch.hpp>

using namespace model_validator::rules;

TEST_CASE("a schema name is split into its parts") {
  const OperatorName name = parse_operator_name("aten::add_.Tensor");
  CHECK(name.space == "aten");
  CHECK(name.base == "add_");
  CHECK(name.overload == "Tensor");
  CHECK(name.qualified() == "aten::add_");
  CHECK(name.with_overload() == "aten::add_.Tensor");
  CHECK(parse_operator_name("aten::relu.default").overload.empty());
  CHECK(parse_operator_name("torch.nn.functional.gelu").space.empty());
}

TEST_CASE("an in-place operator has a functional one") {
  const auto functional = [](const char* schema) {
    return parse_operator_name(schema).functional().with_overload();
  };
  CHECK(functional("aten::add_.Tensor") == "aten::add.Tensor");
  CHECK(functional("aten::__iand__.Scalar") == "aten::__iand__.Scalar");
  CHECK(functional("aten::__and__.Tensor") == "aten::__and__.Tensor");
  CHECK(functional("aten::__is__") == "aten::__is__");
  CHECK(functional("aten::__isnot__") == "aten::__isnot__");
  CHECK(functional("aten::relu") == "aten::relu");
}
