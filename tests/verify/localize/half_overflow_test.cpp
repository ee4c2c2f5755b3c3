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
      run.visit({op + "_out", op, before, at::full({2}, result, type), "/" + op});
      before = {op + "_out"};
    }
    return std::vector<at::Tensor>{};
  };
}

} // namespace

TEST_CASE("the first op that makes more of finite numbers than float16 holds is named") {
  CHECK(first_overflow(chain({{"Gemm", 1e4}, {"Mul", infinite}, {"Add", infinite}})) == "/Mul");
  CHECK(first_overflow(chain({{"MatMul", infinite}})) == "/MatMul");
}

TEST_CASE("what is infinite in float32 as well is no overflow of float16") {
  CHECK_FALSE(first_overflow(chain({{"Mul", 6e4}, {"Add", -6e4}})));
  CHECK_FALSE(first_overflow(chain({{"Div", infinite}, {"Add", infinite}})));     // by zero
  CHECK_FALSE(first_overflow(chain({{"Where", -infinite}, {"Add", -infinite}}))); // a mask
  CHECK_FALSE(first_overflow(chain({{"Add", -infinite}}))); // with the least number of a mask
  CHECK_FALSE(first_overflow(chain({{"Mul", infinite}}, c10::kFloat)));
}
