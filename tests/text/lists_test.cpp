#include "text/lists.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("a list reads as a sentence does") {
  CHECK(list_in_words({}).empty());
  CHECK(list_in_words({"a"}) == "a");
  CHECK(list_in_words({"a", "b"}) == "a and b");
  CHECK(list_in_words({"a", "b", "c"}) == "a, b and c");
}

TEST_CASE("a long list names its first") {
  CHECK(first_in_words({"a", "b"}, 2) == "a, b");
  CHECK(first_in_words({"a", "b", "c"}, 2) == "a, b and 1 more");
}

TEST_CASE("a separator stands between parts, whatever they are") {
  CHECK(joined({"", "a"}, "/") == "/a");
  CHECK(joined({}, "/").empty());
}
