#include "verify/localize/half_overflow.h"

#include <ATen/ATen.h>
#include <catch2/catch.hpp>

#include <limits>

using namespace model_validator::verify;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// A model of some ops one after another, each with one number as its result.
ShowRun chain(const std::vector<std::pair<std::string, double>>& ops,
              c10::ScalarType type = c10::kHalf) {
  return [=](const IntermediateRun& run) -> std::optional<std::vector<at::Tensor>> {
    std::vector<std::string> before;
    for (const auto& [op, result] : ops) {
      const std::string last = before.empty() || op == "DivByStored" ? "" : before.back();
      run.visit({op + "_out", op == "DivByStored" ? "Div" : op, before, at::full({2}, result, type),
                 "/" + op, false, last});
      before = {op + "_out"};
    }
    return std::vector<at::Tensor>{};
  };
}

} // namespace

TEST_CASE("the first op that makes more of finite numbers than float16 holds is named") {
  CHECK(first_half_loss(chain({{"Gemm", 1e4}, {"Mul", infinite}, {"Add", infinite}}))->op ==
        "/Mul");
  CHECK(first_half_loss(chain({{"MatMul", infinite}}))->op == "/MatMul");
}

TEST_CASE("what is infinite in float32 as well is no overflow of float16") {
  CHECK_FALSE(first_half_loss(chain({{"Mul", 6e4}, {"Add", -6e4}})));
  CHECK_FALSE(first_half_loss(chain({{"Div", infinite}, {"Add", infinite}})));     // by zero
  CHECK_FALSE(first_half_loss(chain({{"Where", -infinite}, {"Add", -infinite}}))); // a mask
  CHECK_FALSE(first_half_loss(chain({{"Add", -infinite}}))); // with the least number of a mask
  CHECK_FALSE(first_half_loss(chain({{"Mul", infinite}}, c10::kFloat)));
}

TEST_CASE(
    "what divides by numbers that float16 makes 0 is named, where the runtime does not round") {
  const auto loss = first_half_loss(chain({{"Softmax", 0}, {"Log", -20}}));
  REQUIRE(loss);
  CHECK(loss->op == "/Log");
  CHECK(loss->divides);
  CHECK(first_half_loss(chain({{"Mul", 0}, {"Div", 4}})));
  CHECK_FALSE(first_half_loss(chain({{"Sub", 0}, {"DivByStored", 4}})));
  CHECK_FALSE(first_half_loss(chain({{"Softmax", 0.25}, {"Log", -20}})));
  CHECK_FALSE(first_half_loss(chain({{"Softmax", 0}, {"Log", -infinite}}))); // so it is 0 indeed
  CHECK_FALSE(first_half_loss(chain({{"Relu", 0}, {"Mul", 4}})));
  CHECK_FALSE(first_half_loss(chain({{"Softmax", 0}, {"Log", -20}}, c10::kFloat)));
}
