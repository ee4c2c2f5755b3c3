#include "text/separators.h"

#include <catch2/catch.hpp>

#include <limits>

using namespace model_validator;

TEST_CASE("digits are in groups of three") {
  CHECK(with_separators(0) == "0");
  CHECK(with_separators(999) == "999");
  CHECK(with_separators(1000) == "1'000");
  CHECK(with_separators(123456) == "123'456");
  CHECK(with_separators(std::numeric_limits<std::uint64_t>::max()) == "18'446'744'073'709'551'615");
}
