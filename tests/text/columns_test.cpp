#include "text/columns.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("columns are aligned in any script") {
  const auto lines = align_columns({{"name", "n"}, {"é→出", "10"}, {"x", "200"}}, {false, true});
  CHECK(lines == std::vector<std::string>{"name    n", "é→出   10", "x     200"});
}

TEST_CASE("lines do not end in spaces") {
  const auto lines = align_columns({{"a", "long"}, {"b", "x"}}, {false, false});
  CHECK(lines.at(1) == "b  x");
}
