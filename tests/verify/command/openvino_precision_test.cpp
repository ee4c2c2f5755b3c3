#include "verify/command/openvino_precision.h"
#include "verify/small_ir.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace model_validator::verify;
using model_validator::test::SmallIr;

namespace {

Precision precision_of(const SmallIr& ir) { return precision_of_openvino_model(ir.write()); }

} // namespace

TEST_CASE("an OpenVINO model in float32 has no precision of its own") {
  SmallIr ir;
  ir.input().constant("w", "f32", "4,4", std::string(64, '\0'));
  const auto found = precision_of(ir.layer("y", "MatMul", "a=\"b\"", "FP32", {"x", "w"}));
  CHECK(found.quantised == 0);
  CHECK(found.weights.empty());
  CHECK(found.computed_in.front().empty());
}

TEST_CASE("weights in float16 that are made wide again are weights alone") {
  SmallIr ir;
  ir.input().constant("w", "f16", "4,4", std::string(32, '\0'));
  ir.layer("wide", "Convert", "destination_type=\"f32\"", "FP32", {"w"});
  const auto found = precision_of(ir.layer("y", "MatMul", "a=\"b\"", "FP32", {"x", "wide"}));
  CHECK(found.weights == "float16");
  CHECK(found.computed_in.front().empty());
}

TEST_CASE("a bias in float16 is no weight") {
  SmallIr ir;
  ir.input().constant("b", "f16", "1,4,1", std::string(8, '\0'));
  CHECK(precision_of(ir).weights.empty());
}

TEST_CASE("results in float16 are what the model computes in") {
  SmallIr ir;
  ir.input().constant("w", "f16", "4,4", std::string(32, '\0'));
  const auto found = precision_of(ir.layer("y", "MatMul", "a=\"b\"", "FP16", {"x", "w"}));
  CHECK(found.computed_in.front() == "float16");
}

TEST_CASE("values that are rounded to steps say in how many bits, and which") {
  for (const auto& [levels, results] :
       {std::pair(256, Narrowing::Results::int8), std::pair(257, Narrowing::Results::int16)}) {
    SmallIr ir;
    const auto found = precision_of(ir.input().rounded("q", "x", levels));
    CHECK(found.quantised == 1);
    CHECK(found.narrowing.results == results);
    const auto values = values_rounded_by_openvino_model(ir.write());
    REQUIRE(values.size() == 1);
    CHECK(values.at("x_value") == Approx(4.0 / (levels - 1)));
    const auto ranges = input_ranges_of_openvino_model(ir.write());
    CHECK(ranges.at("x_value").low == -1);
    CHECK(ranges.at("x_value").high == 3);
  }
}

TEST_CASE("weights in few bits say how many, in which groups, and whether they are shifted") {
  SmallIr rows;
  const auto by_row = precision_of(rows.few_bits("w", "i8", "4,16", "4,1", false));
  CHECK(by_row.quantised == 1);
  CHECK(by_row.narrowing.results == Narrowing::Results::as_they_are);
  CHECK(by_row.narrowing.bits == 8);
  CHECK(by_row.narrowing.per_channel);
  CHECK(by_row.narrowing.block == 0);
  CHECK_FALSE(by_row.narrowing.has_zero_point);
  SmallIr groups;
  const auto by_group = precision_of(groups.few_bits("w", "u4", "4,2,16", "4,2,1", true));
  CHECK(by_group.narrowing.bits == 4);
  CHECK(by_group.narrowing.block == 16);
  CHECK(by_group.narrowing.has_zero_point);
  SmallIr whole;
  CHECK_FALSE(precision_of(whole.few_bits("w", "i8", "4,16", "", false)).narrowing.per_channel);
}

TEST_CASE("whole numbers that nobody makes wide are no weight in few bits") {
  SmallIr ir;
  CHECK(precision_of(ir.constant("table", "u8", "4,16", std::string(64, '\0'))).quantised == 0);
}

TEST_CASE("a table in few bits is named, a matrix is not") {
  SmallIr table;
  table.input().few_bits("w", "i8", "4,16", "4,1", false);
  table.layer("y", "Gather", "a=\"b\"", "FP32", {table.last(), "x"});
  CHECK(values_rounded_by_openvino_model(table.write()).contains("w"));
  SmallIr matrix;
  matrix.input().few_bits("w", "i8", "4,16", "4,1", false);
  matrix.layer("y", "MatMul", "a=\"b\"", "FP32", {"x", matrix.last()});
  CHECK(values_rounded_by_openvino_model(matrix.write()).empty());
}
