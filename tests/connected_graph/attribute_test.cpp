#include <model_validator/connected_graph.h>

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
