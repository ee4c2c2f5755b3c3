#include "fixes/python/text_edit.h"

#include <catch2/catch.hpp>

using namespace model_validator::fixes;

TEST_CASE("edits are made from the front to the back, each once") {
  std::vector<TextEdit> edits = {{3, 4, "C", 0}, {0, 1, "A", 0}, {3, 4, "C", 0}, {2, 2, "!", 0}};
  sort_edits(edits);
  CHECK_FALSE(edits_overlap(edits));
  CHECK(apply_edits("abcd", edits) == "Ab!cC");
}

TEST_CASE("what opens a longer expression comes first") {
  std::vector<TextEdit> edits = {{0, 0, "inner(", -3}, {0, 0, "outer(", -9}};
  sort_edits(edits);
  CHECK(apply_edits("x", edits) == "outer(inner(x");
}

TEST_CASE("edits of the same bytes overlap") {
  std::vector<TextEdit> same = {{1, 3, "x", 0}, {1, 3, "y", 0}};
  std::vector<TextEdit> inside = {{0, 4, "x", 0}, {2, 2, "y", 0}};
  std::vector<TextEdit> beside = {{0, 2, "x", 0}, {2, 4, "y", 0}};
  CHECK(edits_overlap(same));
  CHECK(edits_overlap(inside));
  CHECK_FALSE(edits_overlap(beside));
}
