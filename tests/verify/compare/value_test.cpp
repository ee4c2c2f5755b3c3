#include "values.h"

#include <catch2/catch.hpp>

using namespace model_validator::verify;

TEST_CASE("leaves carry their paths") {
  const Value value = values::dict(
      {{"logits", values::floats({1})},
       {"past", values::list({values::list({values::floats({1}), values::floats({2})})})}});
  const std::vector<Leaf> leaves = flatten(value);
  REQUIRE(leaves.size() == 3);
  CHECK(leaves[0].path == "logits");
  CHECK(leaves[2].path == "past.0.1");
}

TEST_CASE("named tuples use their names, a lone tensor has no path") {
  const Value named{Sequence{{values::floats({1}), values::floats({2})}, {"mean", "spread"}}};
  CHECK(flatten(named).at(1).path == "spread");
  CHECK(flatten(values::floats({1})).at(0).path.empty());
}

TEST_CASE("numbers become scalars, None is left out, strings stay") {
  const Value value = values::list(
      {Value{std::int64_t{3}}, Value{None{}}, Value{2.5}, Value{true}, values::text("cat")});
  const std::vector<Leaf> leaves = flatten(value);
  REQUIRE(leaves.size() == 4);
  CHECK(std::get<Tensor>(leaves[0].value.data).view.dtype == DType::int64);
  CHECK(leaves[1].path == "2");
  CHECK(std::get<Tensor>(leaves[2].value.data).view.dtype == DType::bool_);
  CHECK(std::string(kind_name(leaves[3].value)) == "str");
}
