#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

constexpr test::Checker check{checks::nondeterministic_op};

TEST_CASE("an operation that draws random numbers is found") {
  SampleGraph builder;
  builder.functional("randn", "aten::randn", builder.frame(20));
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "`randn` draws random numbers");
}

TEST_CASE("ops whose order is open on a GPU are found only on request") {
  SampleGraph builder;
  builder.functional("scatter_add", "aten::scatter_add");
  CHECK(check(builder).findings().empty());
  CHECK(check(builder, {{"gpu", true}}).findings().size() == 1);
}

TEST_CASE("other operations, and dropout that does not train, are not found") {
  SampleGraph builder;
  builder.functional("add", "aten::add.Tensor");
  builder.functional("dropout", "aten::dropout");
  CHECK(check(builder, {{"gpu", true}}).findings().empty());
}
