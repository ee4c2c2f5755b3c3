#include "text/grouped_names.h"

#include <catch2/catch.hpp>

using namespace model_validator;

using Names = std::vector<std::string>;

TEST_CASE("names of equal layers are one name") {
  Names names{"ids"};
  for (int i = 0; i < 32; ++i)
    for (const char* part : {"key", "value"})
      names.push_back("past." + std::to_string(i) + "." + part);
  CHECK(grouped(names) == Names{"ids", "past.{0..31}.key", "past.{0..31}.value"});
}

TEST_CASE("a second number that stays the same is part of the name") {
  CHECK(grouped({"k4.0", "k4.1", "k4.2", "v4.0"}) == Names{"k4.{0..2}", "v4.0"});
}

TEST_CASE("two names, gaps and other kinds make no group") {
  CHECK(grouped({"a0", "a1"}) == Names{"a0", "a1"});
  CHECK(grouped({"a0", "a1", "a3"}) == Names{"a0", "a1", "a3"});
  const auto groups = group_names({"a0", "a1", "a2", "a3"}, {"x", "x", "x", "y"});
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].name == "a{0..2}");
  CHECK(groups[0].members == std::vector<std::size_t>{0, 1, 2});
}
