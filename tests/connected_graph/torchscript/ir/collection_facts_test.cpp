#include "connected_graph/torchscript/ir/collection_facts.h"

#include <ATen/core/Dict.h>
#include <catch2/catch.hpp>
#include <torch/csrc/jit/runtime/operator.h>

#include <limits>

using namespace model_validator::torchscript;

TEST_CASE("keys are equal where a dict of torch finds one by the other") {
  const std::vector<std::pair<c10::TypePtr, std::vector<c10::IValue>>> of_type = {
      {c10::IntType::get(), {0, 1, -1, std::numeric_limits<std::int64_t>::max()}},
      {c10::FloatType::get(), {0.0, -0.0, 1.0, 1e-300}},
      {c10::BoolType::get(), {true, false}},
      {c10::StringType::get(), {"", "a", "A", "1"}}};
  for (const auto& [type, keys] : of_type)
    for (const c10::IValue& key : keys) {
      c10::impl::GenericDict dict(type, c10::IntType::get());
      dict.insert(key, 1);
      for (const c10::IValue& other : keys) CHECK(equal_keys(key, other) == dict.contains(other));
    }
}

TEST_CASE("keys of different types are different") {
  CHECK_FALSE(equal_keys(1, true));
  CHECK_FALSE(equal_keys(1, 1.0));
  CHECK_FALSE(equal_keys("1", 1));
}

TEST_CASE("an index picks what torch picks") {
  const std::vector<std::int64_t> list = {10, 11, 12};
  auto pick = torch::jit::getOperatorForLiteral("aten::__getitem__.t(t[](a) list, int idx) -> t(*)")
                  ->getOperation();
  for (std::int64_t index = -5; index < 5; ++index) {
    torch::jit::Stack stack{list, index};
    const auto at = position_in(list.size(), index);
    if (!at) {
      CHECK_THROWS(pick(stack));
      continue;
    }
    pick(stack);
    CHECK(stack.back().toInt() == list[*at]);
  }
  CHECK_FALSE(position_in(0, 0));
}
