#include "verify/inputs/size_expression.h"

#include <catch2/catch.hpp>

using namespace model_validator::verify;

TEST_CASE("sizes that are sums and products are evaluated") {
  const KnownSizes known{{"past", 5}, {"seq", 3}, {"a b", 9}};
  CHECK(evaluate_size("past + seq", known) == 8);
  CHECK(evaluate_size("2*(past - 1)//3", known) == 2);
  CHECK(evaluate_size("(past + seq)", known) == 8);
  CHECK(evaluate_size("a b", known) == 9);
}

TEST_CASE("what is no expression, or has unknown names, has no value") {
  CHECK_FALSE(evaluate_size("past + other", {{"past", 5}}));
  CHECK_FALSE(evaluate_size("past +", {{"past", 5}}));
  CHECK_FALSE(evaluate_size("", {}));
  CHECK_FALSE(evaluate_size("9999999999999999", {}));
  CHECK_FALSE(evaluate_size(std::string(1000, '('), {}));
}

TEST_CASE("an expression tells its names") {
  CHECK(names_in_size("past + 2*seq") == std::vector<std::string>{"past", "seq"});
  CHECK(names_in_size("height width") == std::vector<std::string>{"height width"});
}
