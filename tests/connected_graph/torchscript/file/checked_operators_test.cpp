#include "connected_graph/torchscript/file/checked_operators.h"

#include <catch2/catch.hpp>
#include <torch/csrc/jit/runtime/operator.h>

#include <limits>
#include <set>
#include <string>

using namespace model_validator::torchscript;

namespace {

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

c10::IValue run(const std::string& name, const std::string& overload, torch::jit::Stack stack) {
  check_operators();
  const auto op = torch::jit::findOperatorFor({name, overload});
  REQUIRE(op);
  op->getOperation()(stack);
  return stack.empty() ? c10::IValue() : stack.back();
}

} // namespace

TEST_CASE("operators on numbers end as errors, not by a signal") {
  CHECK_THROWS(run("aten::remainder", "int", {5, 0}));
  CHECK_THROWS(run("aten::remainder", "int", {smallest, -1}));
  CHECK_THROWS(run("aten::floordiv", "int", {smallest, -1}));
  CHECK_THROWS(run("aten::divmod", "int", {smallest, -1}));
  CHECK_THROWS(run("aten::__round_to_zero_floordiv", "int", {5, 0}));
  CHECK_THROWS(run("aten::gcd", "int", {-1, smallest}));
  CHECK_THROWS(run("aten::promote_types", "", {0, 6400}));
  CHECK(run("aten::remainder", "int", {-7, 5}).toInt() == 3);
  CHECK(run("aten::floordiv", "int", {-7, 5}).toInt() == -2);
  CHECK(run("aten::gcd", "int", {12, 18}).toInt() == 6);
}

TEST_CASE("a number that is no dtype or memory format ends as an error") {
  check_arguments();
  const c10::List<std::int64_t> size({2});
  const auto zeros = [&](std::int64_t dtype) {
    return run("aten::zeros", "", {size, dtype, c10::IValue(), c10::IValue(), c10::IValue()});
  };
  CHECK_THROWS(zeros(-1));
  CHECK_THROWS(zeros(1000));
  CHECK(zeros(4).toTensor().scalar_type() == c10::ScalarType::Long);
  CHECK_THROWS(run("aten::contiguous", "", {zeros(4), 9}));
  CHECK(run("aten::contiguous", "", {zeros(4), 0}).isTensor());
}

TEST_CASE("operators on texts terminate") {
  CHECK_THROWS(run("aten::ljust", "", {"a", std::int64_t{1} << 40, "b"}));
  CHECK_THROWS(run("aten::zfill", "", {"a", std::int64_t{1} << 40}));
  CHECK_THROWS(run("aten::count", "", {"a", "", 0, -1}));
  CHECK_THROWS(run("aten::center", "", {"abc", 1, "-"}));
  CHECK(run("aten::ljust", "", {"a", 3, "b"}).toStringRef() == "abb");
  CHECK(run("aten::replace", "", {"aba", "a", "c", -1}).toStringRef() == "cbc");
}

TEST_CASE("nothing but numbers is folded while code is read") {
  CHECK(run("aten::add", "str", {"a", "b"}).toStringRef() == "ab");
  {
    const FoldNumbersOnly folding;
    CHECK_THROWS(run("aten::add", "str", {"a", "b"}));
    CHECK_THROWS(run("aten::_print", "", {"a"}));
    CHECK(run("aten::add", "int", {1, 2}).toInt() == 3);
  }
  CHECK(run("aten::add", "str", {"a", "b"}).toStringRef() == "ab");
}

TEST_CASE("operators keep their schema") {
  check_operators();
  const auto op = torch::jit::findOperatorFor({"aten::floordiv", "int"});
  REQUIRE(op);
  CHECK(torch::jit::canonicalSchemaString(op->schema()) == "aten::floordiv(int a, int b) -> int");
}
