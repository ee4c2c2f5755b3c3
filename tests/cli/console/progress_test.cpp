#include "cli/console/progress.h"

#include <catch2/catch.hpp>

using namespace model_validator::cli;

TEST_CASE("the bar fills with the work") {
  CHECK(progress_bar(0, 4, 15) == "0/4 [        ]");
  CHECK(progress_bar(2, 4, 15) == "2/4 [####    ]");
  CHECK(progress_bar(4, 4, 15) == "4/4 [########]");
}

TEST_CASE("without room there is only the count") { CHECK(progress_bar(12, 30, 5) == "12/30"); }
