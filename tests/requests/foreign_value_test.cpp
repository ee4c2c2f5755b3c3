#include "requests/foreign_value.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <array>
#include <cmath>

using namespace model_validator;
using verify::Value;

namespace {

Value value_of(const char* structure, const mv_array* arrays = nullptr, std::size_t count = 0) {
  return value_from({structure, arrays, count});
}

} // namespace

TEST_CASE("plain values stand for themselves") {
  CHECK(std::holds_alternative<verify::None>(value_of("null").data));
  CHECK(std::get<bool>(value_of("true").data));
  CHECK(std::get<std::int64_t>(value_of("-7").data) == -7);
  CHECK(std::get<double>(value_of("1.5").data) == 1.5);
  CHECK(std::get<std::string>(value_of("\"text\"").data) == "text");
  CHECK(std::isnan(std::get<double>(value_of(R"({"number": "nan"})").data)));
}

TEST_CASE("arrays are viewed in place, with their strides") {
  const std::array<float, 6> data{0, 1, 2, 3, 4, 5};
  const std::array<std::int64_t, 2> shape{3, 2};
  const std::array<std::int64_t, 2> strides{1, 3};
  const mv_array transposed{data.data(), "float32", 2, shape.data(), strides.data()};
  const Value value = value_of(R"({"entries": [["a", {"array": 0}]]})", &transposed, 1);
  const auto leaves = verify::flatten(value);
  REQUIRE(leaves.size() == 1);
  CHECK(leaves[0].path == "a");
  const auto& view = std::get<verify::Tensor>(leaves[0].value.data).view;
  CHECK(view.data == data.data());
  CHECK(view.shape == verify::Shape{3, 2});
  CHECK(view.strides == std::vector<std::int64_t>{1, 3});
}

TEST_CASE("lists and named tuples nest") {
  const Value value =
      value_of(R"({"items": [{"items": [1, 2], "names": ["first", "second"]}, null]})");
  const auto leaves = verify::flatten(value);
  REQUIRE(leaves.size() == 2);
  CHECK(leaves[1].path == "0.second");
}

TEST_CASE("a description of no value is an error") {
  const std::int64_t negative = -1;
  const mv_array bad_shape{nullptr, "float32", 1, &negative, nullptr};
  const mv_array bad_dtype{nullptr, "float31", 0, nullptr, nullptr};
  const mv_array no_data{nullptr, "float32", 0, nullptr, nullptr};
  for (const mv_array& array : {bad_shape, bad_dtype, no_data})
    CHECK_THROWS_AS(value_of(R"({"array": 0})", &array, 1), Error);
  for (const char* structure :
       {"", "{", "[1]", R"({"array": 0})", R"({"array": -1})", R"({"items": 3})",
        R"({"entries": [[1]]})", R"({"number": "many"})", R"({"items": [1], "names": ["a", "b"]})"})
    CHECK_THROWS_AS(value_of(structure), Error);
  std::string deep;
  for (int i = 0; i < 600; ++i) deep += R"({"items": [)";
  deep += "1";
  for (int i = 0; i < 600; ++i) deep += "]}";
  CHECK_THROWS_AS(value_of(deep.c_str()), Error);
}
