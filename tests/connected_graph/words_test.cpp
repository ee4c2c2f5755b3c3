#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("a text is taken apart at a mark") {
  std::string_view text = "Abs;1|T;6|T";
  CHECK(take_before(';', text) == "Abs");
  CHECK(text == "1|T;6|T");
  CHECK(take_before('\n', text) == "1|T;6|T");
  CHECK(text.empty());
  CHECK(take_before(';', text).empty());
}

TEST_CASE("a list of words is an array, in the code or of a text") {
  CHECK(word_array<"view">.size() == 1);
  constexpr auto list = word_array<"view reshape to">;
  CHECK(list.size() == 3);
  CHECK(contains(list, "to"));
  CHECK_FALSE(contains(list, "t"));
  CHECK_FALSE(contains(list, "view reshape"));
  const auto same = words_in("view reshape to");
  CHECK(std::equal(same.begin(), same.end(), list.begin(), list.end()));
  CHECK(words_in("").empty());
}

TEST_CASE("a word has another beside it only where it stands as a whole") {
  constexpr auto names = word_array<"clip=clamp clip_by=norm concat=cat">;
  CHECK(paired_with("clip", names) == "clamp");
  CHECK(paired_with("clip_by", names) == "norm");
  CHECK(paired_with("cat", names).empty());
  CHECK(paired_with("cli", names).empty());
  CHECK(paired_with("", names).empty());
}
