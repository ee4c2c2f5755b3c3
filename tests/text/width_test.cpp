#include "text/width.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using Lines = std::vector<std::string>;

TEST_CASE("a wide character takes two columns, a combining one none") {
  CHECK(display_width("abc") == 3);
  CHECK(display_width("文字") == 4);
  CHECK(display_width("e\u0301") == 1);
}

TEST_CASE("first characters are counted in characters, not bytes") {
  CHECK(first_characters("äöü", 2) == "äö");
  CHECK(first_characters("ab", 5) == "ab");
  CHECK(first_characters("ab", 0).empty());
}

TEST_CASE("text breaks at spaces and keeps its own line breaks") {
  CHECK(wrap("one two three", 7) == Lines{"one two", "three"});
  CHECK(wrap("one\ntwo", 80) == Lines{"one", "two"});
  CHECK(wrap("", 80) == Lines{""});
}

TEST_CASE("a word longer than the width stands alone") {
  CHECK(wrap("a extraordinarily b", 5) == Lines{"a", "extraordinarily", "b"});
}
