#include "verify/command/edge_precision.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

EdgeValue value(const std::string& dtype, bool is_stored, std::vector<float> scales = {},
                std::int64_t zero = 0) {
  EdgeValue made;
  made.dtype = dtype;
  made.shape = {4, 4};
  made.is_stored = is_stored;
  made.is_stepped = !scales.empty();
  made.has_many_scales = scales.size() > 1;
  made.zero_points.assign(scales.size(), zero);
  made.scales = std::move(scales);
  return made;
}

} // namespace

TEST_CASE("an edge model in float is in few bits nowhere") {
  EdgeModel model;
  model.values = {value("float32", true), value("float32", false), value("int32", true)};
  const Precision found = precision_of_edge_model(model);
  CHECK(found.quantised == 0);
  CHECK(found.weights.empty());
}

TEST_CASE("weights in steps are told from values in steps") {
  EdgeModel model;
  model.values = {value("float32", false), value("int8", true, {1, 2}), value("float32", false)};
  model.ops = {{{0, 1}, {2}}};
  model.outputs = {{"y", 2}, {"x", 0}};
  Precision found = precision_of_edge_model(model);
  CHECK(found.narrowing.weights == Narrowing::Weights::whole_numbers);
  CHECK(found.narrowing.results == Narrowing::Results::int8); // as it runs
  CHECK_FALSE(found.narrowing.everywhere);
  CHECK(found.narrowing.per_channel);
  CHECK(found.on_quantised == std::vector<std::uint8_t>{1, 0});
  model.values.push_back(value("int8", false, {1}));
  found = precision_of_edge_model(model);
  CHECK(found.narrowing.results == Narrowing::Results::int8);
  CHECK(found.narrowing.everywhere);
  model.values.push_back(value("int16", false, {1}));
  CHECK(precision_of_edge_model(model).narrowing.results == Narrowing::Results::int16);
}

TEST_CASE("a weight that is made wide again first rounds nothing else") {
  EdgeModel model;
  model.values = {value("float32", false), value("int8", true, {1}), value("float32", false),
                  value("float32", false)};
  model.ops = {{{1}, {2}}, {{0, 2}, {3}}};
  CHECK(precision_of_edge_model(model).narrowing.results == Narrowing::Results::as_they_are);
  CHECK(precision_of_edge_model(model).quantised == 1);
}

TEST_CASE("bits, zero points, groups and halves of weights are those of the file") {
  EdgeModel model;
  model.values = {value("int4", true, {1, 2}, 3), value("float16", true)};
  model.values[0].block = 32;
  const Precision found = precision_of_edge_model(model);
  CHECK(found.narrowing.bits == 4);
  CHECK(found.narrowing.block == 32);
  CHECK(found.narrowing.has_zero_point);
  CHECK(found.weights == "float16");
}

TEST_CASE("an input in steps has the range that eight bits of them hold") {
  EdgeModel model;
  model.values = {value("int8", false, {0.5F}, -128), value("float32", false),
                  value("int16", false, {0.5F})};
  const auto range = range_of_input(model, 0);
  REQUIRE(range);
  CHECK(range->low == 0);
  CHECK(range->high == 127.5);
  CHECK_FALSE(range_of_input(model, 1));
  CHECK_FALSE(range_of_input(model, 2));
  model.ops = {{{1}, {0}}}; // rounded first
  CHECK(range_of_input(model, 1));
}
