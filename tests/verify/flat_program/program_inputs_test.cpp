#include "verify/flat_program/program_inputs.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::verify;
using exported_program::Json;

namespace {

constexpr const char* symbol = "Symbol('s0', positive=True, integer=True)";

Json expression(const std::string& text, int hint) {
  return {{"as_expr", {{"expr_str", text}, {"hint", {{"as_int", hint}}}}}};
}

/// A program of two tensors: `x` of the given sizes, and `y` of s0 numbers.
Json program(const Json& sizes) {
  const Json user = [](const char* name) {
    return Json{{"user_input", {{"arg", {{"as_tensor", {{"name", name}}}}}}}};
  }("x");
  const Json other{{"user_input", {{"arg", {{"as_tensor", {{"name", "y"}}}}}}}};
  const Json parameter{{"parameter", {{"arg", {{"name", "p"}}}, {"parameter_name", "weight"}}}};
  const auto meta = [](const Json& of) { return Json{{"dtype", 7}, {"sizes", of}}; };
  return {{"graph_module",
           {{"graph",
             {{"tensor_values",
               {{"x", meta(sizes)}, {"y", meta(Json::array({expression(symbol, 3)}))}}}}},
            {"signature", {{"input_specs", {parameter, user, other}}}}}},
          {"range_constraints", {{"s0", {{"min_val", 2}, {"max_val", 64}}}}}};
}

Json batch() { return Json::array({expression(symbol, 3), Json{{"as_int", 4}}}); }

std::string refusal(const Json& sizes, const Shape& x, const Shape& y) {
  try {
    ProgramInputs(program(sizes)).require({x, y});
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::bad_inputs);
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("a program needs its own inputs, with the sizes of its example") {
  const ProgramInputs inputs(program(batch()));
  REQUIRE(inputs.needs().size() == 2);
  CHECK(inputs.needs()[0].name == "x");
  CHECK(inputs.needs()[0].shape == Shape{3, 4});
  CHECK(inputs.needs()[0].dtype == DType::float32);
  CHECK(inputs.needs()[1].shape == Shape{3});
}

TEST_CASE("sizes that the program leaves free are written as the graph writes them") {
  const auto written = [](const std::string& text) {
    return ProgramInputs(program(Json::array({expression(text, 4)}))).needs()[0].symbols.at(0);
  };
  const std::string s = symbol;
  CHECK(written(s) == "s0");
  CHECK(written("Mul(Integer(2), " + s + ")") == "2*s0");
  CHECK(written("Add(" + s + ", Integer(-1))") == "s0 - 1");
  CHECK(written("Unknown(" + s + ")").empty());
  CHECK(written(s + ")").empty());
}

TEST_CASE("sizes that a program was exported for are taken") {
  CHECK(refusal(batch(), {7, 4}, {7}).empty());
  CHECK(refusal(batch(), {64, 4}, {64}).empty());
}

TEST_CASE("a size that the program was not exported for is named") {
  CHECK(refusal(batch(), {7, 5}, {7}) ==
        "dimension 1 of the input `x` is 5, but the program was exported for 4 alone");
  CHECK(refusal(batch(), {1, 4}, {1}) ==
        "dimension 0 of the input `x` is 1, but the program was exported for 2 to 64");
  CHECK(refusal(batch(), {7, 4}, {8}) ==
        "dimension 0 of the input `y` is 8, which does not fit dimension 0 of the input `x`");
  CHECK(refusal(batch(), {7, 4, 1}, {7}) ==
        "the input `x` has 3 dimensions, but the program was exported for 2");
}

TEST_CASE("a size that is a multiple of a symbol") {
  const Json doubled = Json::array({expression(std::string("Mul(Integer(2), ") + symbol + ")", 6)});
  CHECK(refusal(doubled, {8}, {4}).empty());
  CHECK(refusal(doubled, {7}, {4}) ==
        "dimension 0 of the input `x` is 7, but the program takes multiples of 2");
  CHECK(refusal(doubled, {8}, {5}) ==
        "dimension 0 of the input `y` is 5, which does not fit dimension 0 of the input `x`");
}

TEST_CASE("an expression that is not a multiple of one symbol is not checked") {
  const Json unknown = Json::array({expression(std::string("Add(Integer(1), ") + symbol + ")", 4)});
  CHECK(refusal(unknown, {9}, {3}).empty());
}
