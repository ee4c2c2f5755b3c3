#include "introspection/given_inputs.h"
#include "support/sample_graph.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace model_validator;
using test::SampleGraph;

namespace {

/// A model with the inputs `image`, of shape [1, 3, 8, 8], and `ids`.
ConnectedGraph two_inputs() {
  SampleGraph sample;
  for (const char* name : {"image", "ids"})
    sample.graph.op(sample.op(name, OpKind::input)).attributes = {{"name", name}};
  sample.graph.op(0).outputs.assign(1,
                                    TensorType{std::vector<std::int64_t>{1, 3, 8, 8}, "float32"});
  return std::move(sample.graph);
}

verify::InputOptions given(std::vector<std::string> specs) {
  verify::InputOptions options;
  options.specs = std::move(specs);
  return options;
}

using Counts = std::pair<std::size_t, std::size_t>;

/// How many attributes both inputs have, `name` among them.
Counts attributes(std::vector<std::string> specs) {
  const TracedGraph graph = declared_inputs(two_inputs(), given(std::move(specs)));
  return {graph.graph.op(0).attributes.size(), graph.graph.op(1).attributes.size()};
}

ErrorKind error_of(const std::string& spec) {
  try {
    declared_inputs(two_inputs(), given({spec}));
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::usage;
}

} // namespace

TEST_CASE("inputs have the ranges that they are given with, by name or in order") {
  CHECK(attributes({"1x3x8x8:float32:0..1"}) == Counts{3, 1});
  CHECK(attributes({"ids=4:int64:0..99"}) == Counts{1, 3});
  CHECK(attributes({"4:int64:0..99", "image=1x3x8x8"}) == Counts{1, 3});
  CHECK(attributes({"image=1x3x8x8", "ids=5"}) == Counts{1, 1});
  verify::InputOptions options = given({"1x3x8x8:float32:0..255"});
  options.range = verify::ValueRange{0, 9};
  const TracedGraph graph = declared_inputs(two_inputs(), options);
  CHECK(std::get<double>(graph.graph.op(0).attributes.back().value) == 255);
  CHECK(std::get<double>(graph.graph.op(1).attributes.back().value) == 9);
}

TEST_CASE("inputs that a file does not have are errors") {
  CHECK(error_of("1x3x8x8") == ErrorKind::usage);
  CHECK(error_of("1x3x8x9") == ErrorKind::bad_inputs);
  CHECK(error_of("3x8x8") == ErrorKind::bad_inputs);
  CHECK(error_of("sound=1x8") == ErrorKind::unknown_input);
}
