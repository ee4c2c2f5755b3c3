#include "text/plural.h"

#include <catch2/catch.hpp>

using model_validator::plural;

TEST_CASE("a single thing is not named in the plural") {
  CHECK(plural(0, "finding") == "0 findings");
  CHECK(plural(1, "finding") == "1 finding");
  CHECK(plural(2, "finding") == "2 findings");
}
