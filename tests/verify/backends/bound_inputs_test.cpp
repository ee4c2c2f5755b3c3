#include "verify/backends/bound_inputs.h"

#include <model_validator/error.h>
#include <model_validator/verify/inputs.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

NamedTensor given(const std::string& name, std::vector<double> numbers,
                  DType dtype = DType::float32) {
  const auto count = static_cast<std::int64_t>(numbers.size());
  return {name, tensor_of(dtype, {count}, numbers)};
}

std::vector<std::string> first_sizes(const NamedTensors& bound) {
  std::vector<std::string> found;
  for (const auto& [name, tensor] : bound)
    found.push_back(name + " " + std::to_string(tensor.view.shape.at(0)));
  return found;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("inputs go to the ports of their names, and the others in order") {
  const NamedTensors inputs{given("a", {1}), given("b", {1, 2}), given("c", {1, 2, 3})};
  const auto bound = [&](const std::vector<InputPort>& ports) {
    return first_sizes(bound_inputs(ports, inputs, {}));
  };
  CHECK(bound({{"c", {}, {}}, {"a", {}, {}}, {"b", {}, {}}}) == Names{"c 3", "a 1", "b 2"});
  CHECK(bound({{"x", {}, {}}, {"y", {}, {}}, {"z", {}, {}}}) == Names{"x 1", "y 2", "z 3"});
  CHECK(bound({{"x", {}, {}}, {"a", {}, {}}, {"z", {}, {}}}) == Names{"x 2", "a 1", "z 3"});
  CHECK(bound({{"0", {}, {}, {"c"}}, {"1", {}, {}, {"b"}}, {"2", {}, {}}}) ==
        Names{"0 3", "1 2", "2 1"});
}

TEST_CASE("an input that a compilation left nothing of is told, a missing one is refused") {
  const NamedTensors inputs{given("a", {1}), given("b", {1, 2})};
  Names notes;
  const auto note = [&](const std::string& text) { notes.push_back(text); };
  CHECK(first_sizes(bound_inputs({{"b", {}, {}}}, inputs, note)) == Names{"b 2"});
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes[0], Catch::Contains("no input `a`"));
  CHECK_THROWS_AS(bound_inputs({{"b", {}, {}}, {"c", {}, {}}, {"d", {}, {}}}, inputs, {}), Error);
  // Which of them fell away is not known.
  CHECK_THROWS_AS(bound_inputs({{"c", {}, {}}}, inputs, {}), Error);
}

TEST_CASE("a number becomes one of another dtype where that holds it") {
  const auto cast = [](DType dtype, const NamedTensor& input) {
    return bound_inputs({{"x", dtype, {}}}, {input}, {}).at(0).tensor.view.dtype;
  };
  CHECK(cast(DType::uint8, given("x", {0, 7, 255})) == DType::uint8);
  CHECK(cast(DType::float32, given("x", {0, 255}, DType::uint8)) == DType::float32);
  CHECK(cast(DType::bool_, given("x", {0, 1}, DType::int64)) == DType::bool_);
  CHECK(cast(DType::int32, given("x", {-7}, DType::int64)) == DType::int32);
  CHECK(cast(DType::float16, given("x", {0.1})) == DType::float16); // rounding is judged later
  for (const double number : {0.5, -1.0, 256.0})
    CHECK_THROWS_AS(cast(DType::uint8, given("x", {number})), Error);
  CHECK_THROWS_AS(cast(DType::bool_, given("x", {2}, DType::int64)), Error);
  CHECK_THROWS_AS(cast(DType::int32, given("x", {3e9}, DType::int64)), Error);
}

TEST_CASE("channels are put last for a port that has them there, if it may have any layout") {
  const NamedTensors inputs{{"x", tensor_of(DType::float32, {1, 2, 3}, {1, 2, 3, 4, 5, 6})}};
  Names notes;
  const auto note = [&](const std::string& text) { notes.push_back(text); };
  const auto bound = bound_inputs({{"x", {}, {1, 3, 2}, {}, true}}, inputs, note);
  CHECK(bound[0].tensor.view.shape == Shape{1, 3, 2});
  CHECK(static_cast<const float*>(bound[0].tensor.view.data)[1] == 4);
  CHECK(notes.size() == 1);
  CHECK_THROWS_AS(bound_inputs({{"x", {}, {1, 3, 2}}}, inputs, {}), Error);
  CHECK_THROWS_AS(bound_inputs({{"x", {}, {3, 2, 1}, {}, true}}, inputs, {}), Error);
  const auto as_given = bound_inputs({{"x", {}, {1, -1, -1}, {}, true}}, inputs, note);
  CHECK(as_given[0].tensor.view.shape == Shape{1, 2, 3});
  CHECK(notes.size() == 1);
}
