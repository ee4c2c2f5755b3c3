#include "connected_graph/torchscript/code/progression.h"

#include <catch2/catch.hpp>

#include <limits>
#include <vector>

using namespace model_validator::torchscript;

namespace {

bool holds(std::int64_t a, Comparison comparison, std::int64_t b) {
  switch (comparison) {
  case Comparison::equal: return a == b;
  case Comparison::unequal: return a != b;
  case Comparison::less: return a < b;
  case Comparison::less_or_equal: return a <= b;
  case Comparison::greater: return a > b;
  case Comparison::greater_or_equal: return a >= b;
  }
  return false;
}

} // namespace

TEST_CASE("a comparison is decided exactly when every iteration agrees") {
  for (const std::int64_t start : {-2, 0, 3})
    for (const std::int64_t step : {-2, -1, 1, 3})
      for (const std::int64_t count : {1, 2, 4})
        for (std::int64_t bound = -8; bound <= 14; ++bound)
          for (int kind = 0; kind < 6; ++kind) {
            const auto comparison = static_cast<Comparison>(kind);
            std::size_t yes = 0;
            for (std::int64_t i = 0; i < count; ++i)
              yes += holds(start + step * i, comparison, bound) ? 1U : 0U;
            const auto outcome = always({start, step, count}, comparison, bound);
            if (outcome)
              CHECK(yes == (*outcome ? static_cast<std::size_t>(count) : 0U));
            else
              CHECK((yes > 0 && yes < static_cast<std::size_t>(count)));
          }
}

TEST_CASE("a counter of unknown trips is still never negative") {
  const Progression counter;
  CHECK(always(counter, Comparison::less, 0) == false);
  CHECK(always(counter, Comparison::greater_or_equal, 0) == true);
  CHECK(always(counter, Comparison::equal, -1) == false);
  CHECK_FALSE(always(counter, Comparison::less, 5).has_value());
}

TEST_CASE("exchanged operands mirror the comparison") {
  CHECK(mirrored(Comparison::less) == Comparison::greater);
  CHECK(mirrored(Comparison::equal) == Comparison::equal);
}

TEST_CASE("a value beyond 64 bits is not known") {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
  CHECK((Progression{smallest, 1, {}}).reaches(largest));
  CHECK_FALSE((Progression{smallest, -1, {}}).reaches(largest));
  CHECK((Progression{largest, smallest, 2}).reaches(-1));
  CHECK_FALSE((Progression{largest, 2, 2}).highest());
  CHECK_FALSE((Progression{smallest, -2, 2}).lowest());
  CHECK(always({smallest, 1, 1}, Comparison::less, largest) == true);
}
