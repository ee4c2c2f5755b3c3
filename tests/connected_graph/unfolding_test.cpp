#include "connected_graph/unfolding.h"

#include <catch2/catch.hpp>

#include <limits>

using model_validator::unfolding_limit;

TEST_CASE("the unfolding limit of a model follows the size of its file") {
  CHECK(unfolding_limit(0, 5'000'000) == 500'000);
  CHECK(unfolding_limit(1'000, 5'000'000) == 510'000);
  CHECK(unfolding_limit(100'000, 5'000'000) == 1'500'000);
}

TEST_CASE("it never exceeds the caller's limit") {
  CHECK(unfolding_limit(450'000, 5'000'000) == 5'000'000);
  CHECK(unfolding_limit(std::numeric_limits<std::size_t>::max(), 5'000'000) == 5'000'000);
  CHECK(unfolding_limit(3, 2) == 2);
  CHECK(unfolding_limit(0, 0) == 0);
}
