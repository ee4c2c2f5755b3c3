#include "connected_graph/attributes.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("an attribute is written as Python writes it") {
  CHECK(to_python(AttributeValue{}) == "None");
  CHECK(to_python(true) == "True");
  CHECK(to_python(std::int64_t{-3}) == "-3");
  CHECK(to_python(1.0) == "1.0");
  CHECK(to_python(1e-5) == "1e-05");
  CHECK(to_python(std::string("it's")) == "'it\\'s'");
  CHECK(to_python(std::vector<std::int64_t>{3, 3}) == "(3, 3)");
  CHECK(to_python(std::vector<std::int64_t>{3}) == "(3,)");
  CHECK(to_python(std::vector<bool>{true, false}) == "(True, False)");
}

TEST_CASE("an attribute is found by its name") {
  const std::vector<Attribute> attributes = {
      {"p", 0.5}, {"train", true}, {"inplace", false}, {"axis", std::int64_t{1}}};
  CHECK(*find_attribute(attributes, "p") == AttributeValue(0.5));
  CHECK(find_attribute(attributes, "dim") == nullptr);
  CHECK(is_true(attributes, "train"));
  CHECK_FALSE(is_true(attributes, "inplace"));
  CHECK_FALSE(is_true(attributes, "p"));
  CHECK(*find_attribute<double>(attributes, "p") == 0.5);
  CHECK(find_attribute<bool>(attributes, "p") == nullptr);
  CHECK(integer_of(attributes, "axis") == 1);
  CHECK_FALSE(integer_of(attributes, "train"));
}
