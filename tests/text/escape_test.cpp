#include "text/escape.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("ordinary text in any language stays as it is") {
  CHECK(escape("layer1.0.relu") == "layer1.0.relu");
  CHECK(escape("größe 層 🙂") == "größe 層 🙂");
}

TEST_CASE("what would steer a terminal becomes visible") {
  CHECK(escape("a\x1b[31mb") == "a\\x1b[31mb");
  CHECK(escape("a\nb\rc\td\x7f") == "a\\x0ab\\x0dc\\x09d\\x7f");
  CHECK(escape("c1 \xc2\x9b") == "c1 \\x9b");
}

TEST_CASE("marks that reorder or hide text become visible") {
  CHECK(escape("a\u202Eb") == "a\\u202eb");
  CHECK(escape("a\u200Bb") == "a\\u200bb");
  CHECK(escape("a\u2028b") == "a\\u2028b");
}

TEST_CASE("noncharacters and invisible characters become visible") {
  CHECK(escape("a\xef\xbf\xbe\xef\xbf\xbf") == "a\\ufffe\\uffff");
  CHECK(escape("a\xef\xb7\x90\xf0\x9f\xbf\xbf") == "a\\ufdd0\\U0001ffff");
  CHECK(escape("\u3164") == "\\u3164");
  CHECK(escape("\xed\xa0\x80") == "\\xed\\xa0\\x80"); // half of a surrogate pair
}

TEST_CASE("bytes that are not UTF-8 become visible one by one") {
  CHECK(escape("a\xff\xfe") == "a\\xff\\xfe");
  CHECK(escape("\xe2\x82") == "\\xe2\\x82");
}

TEST_CASE("text of several lines keeps its lines, and tabs become spaces") {
  CHECK(escape_lines("a\n\tb\x1b") == "a\n    b\\x1b");
}
